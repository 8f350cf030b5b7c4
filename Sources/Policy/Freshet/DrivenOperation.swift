import FreshetConfig
import FreshetCore
import FreshetRefresh
import FreshetQuery
import FreshetRemote
package import FreshetServer

/// A controller at work. Releasing it ends the controller.
public final class DrivenOperation: Sendable {
    private let controller: AttachedController
    private let drive: RunSubscription

    /// - Parameter operations: That it has entered, as a driver of the controller's.
    init(
        _ controller: AttachedController, _ controllers: ControllerSet, _ operations: Operations
    ) {
        self.controller = controller
        drive = RunSubscription {
            controllers.detach(controller)
            operations.leave(driverOf: controller.operation)
        }
    }

    /// The operation's name, as in `/v1/_operations/NAME`.
    public var operation: String { controller.operation }

    /// How the controller stands: its state, its counts, its last fault. The operation's document has
    /// the same in `controllers`.
    public var report: ControllerReport { controller.report }

    /// The last error that it has yielded; nil since a value has come.
    public var lastError: (any Error)? { controller.lastError }

    /// Ends the controller. An operation that the configuration does not name goes with its last
    /// controller; what was stored stays.
    public func cancel() {
        drive.cancel()
    }
}

extension FreshetServer {
    /// - Parameter query: nil: that of the configured operation. Where there is no operation of this
    ///   name yet, there is one until its last controller goes.
    package func drive(
        _ operation: String, _ query: EntityQuery?, by controller: any OperationController,
        while specification: SpecExpression
    ) throws(EntityProblem) -> DrivenOperation {
        if let excess = NamedSpecs(core.operations.board.namedSpecifications)
            .excess(of: specification)
        {
            throw EntityProblem(
                Problem(
                    .invalidSpec, "the run specification is too large: \(excess)",
                    hint: "decide a part of it in a RunSpecification of your own, which is one node"
                ))
        }
        let operations = core.operations
        // From here on no other's end takes the operation away.
        operations.enter(driverOf: operation)
        let driven: Query
        do throws(EntityProblem) {
            defer { operations.settle(driverOf: operation) }
            driven = try asked(operation, query)
        } catch {
            operations.leave(driverOf: operation)
            throw error
        }
        return DrivenOperation(
            controllers.attach(
                controller, kind: "custom", to: operation, query: driven, .always,
                gate: specification),
            controllers, operations)
    }

    /// The query of the operation of this name, which there is afterwards.
    private func asked(
        _ operation: String, _ query: EntityQuery?
    ) throws(EntityProblem) -> Query {
        let operations = core.operations
        guard let query else {
            let known = operations[operation]
            guard let known, known.isConfigured, let query = known.query else {
                throw EntityProblem(
                    Problem(
                        .notFound, "there is no operation '\(operation)'",
                        hint: "declare it in the configuration, or give the query that it drives"))
            }
            return query
        }
        guard SpecNames.isName(operation) else {
            throw EntityProblem(
                Problem(
                    .badParameter, "'\(operation)' is no operation's name",
                    hint: "expected \(SpecNames.expectation)"))
        }
        let entities = Entities(core: core, life: ServerLife())
        let asked = try entities.query(query.type, nil, query.parameters)
        let source = operations.remotes.source(of: asked.type)
        let settings = OperationSettings(upstream: source?.upstreamName)
        let named: RemoteOperation?
        do {
            named = try operations.declare(OperationDefinition(operation, asked, settings))
        } catch {
            throw EntityProblem(Problem(error))
        }
        guard named != nil else {
            throw EntityProblem(
                Problem(
                    .badParameter, "the operation '\(operation)' asks something else",
                    hint: "leave the query out, or take another name"))
        }
        return asked
    }
}
