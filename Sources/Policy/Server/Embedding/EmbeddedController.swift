import FreshetConfig
package import FreshetCore
package import FreshetOperations
import FreshetQuery
import FreshetRemote

extension FreshetServer {
    /// Has a controller of the embedding program's drive an operation.
    ///
    /// - Parameters:
    ///   - query: Its type and its parameters, as in a URL; nil: that of the configured operation.
    ///     Where there is no operation of this name yet, there is one until its last controller goes.
    ///   - gate: Only while this holds.
    package func drive(
        _ operation: String, _ query: (type: String, parameters: [(String, String)])?,
        by controller: any OperationController, while gate: SpecExpression?
    ) throws(Problem) -> AttachedController {
        guard let asked = try asked(operation, query) else {
            throw Problem(
                .notFound, "there is no operation '\(operation)'",
                hint: "declare it in the configuration, or give the query that it drives")
        }
        return controllers.attach(
            controller, kind: "custom", to: operation, query: asked, .always, gate: gate)
    }

    /// The query of the operation of this name, which there is afterwards; nil where there is none.
    private func asked(
        _ operation: String, _ query: (type: String, parameters: [(String, String)])?
    ) throws(Problem) -> Query? {
        guard let (type, parameters) = query else {
            let known = operations[operation]
            return known?.isConfigured == true ? known?.query : nil
        }
        guard SpecNames.isName(operation) else {
            throw Problem(
                .badParameter, "'\(operation)' is no operation's name",
                hint: "expected \(SpecNames.expectation)")
        }
        let asked = try entities.query(type, nil, parameters)
        let source = service.core.operations.remotes.source(of: asked.type)
        let settings = OperationSettings(upstream: source?.upstreamName)
        let named: RemoteOperation?
        do {
            named = try operations.declare(OperationDefinition(operation, asked, settings))
        } catch {
            throw Problem(error)
        }
        guard named != nil else {
            throw Problem(
                .badParameter, "the operation '\(operation)' asks something else",
                hint: "leave the query out, or take another name")
        }
        return asked
    }

    /// Ends a controller; an operation that was there for it goes.
    package func undrive(_ controller: AttachedController) {
        if !controllers.detach(controller) { operations.withdraw(controller.operation) }
    }
}
