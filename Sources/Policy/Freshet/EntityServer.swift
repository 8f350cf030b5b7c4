import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetQuery
import FreshetServer
import Glibc

/// A Freshet server inside of this program: the same store, the same HTTP interface and the same
/// live queries as `freshet serve`, and beside them `entities` for the program itself.
///
/// ```swift
/// let server = try EntityServer(.memory())
/// try await server.entities.set("task", "1", json: Array(#"{"title":"first"}"#.utf8))
/// print(server.url)       // http://127.0.0.1:40123
/// server.stop()
/// ```
///
/// One program may have several, each with a directory of its own.
public final class EntityServer: Sendable {
    /// Where data stands, and what is configured.
    public struct Configuration: Sendable {
        var flags: [String: [String]]
        var json: String?
        var file: String?
        var environment: [String: String]

        /// Everything in memory, gone with the server.
        ///
        /// - Parameters:
        ///   - json: What would stand in `freshet.json`.
        ///   - listen: Host and port; 0 takes a free one.
        public static func memory(
            json: String = "{}", listen: String = "127.0.0.1:0"
        ) -> Configuration {
            Configuration(
                flags: ["memory": ["true"], "listen": [listen]], json: json, file: nil,
                environment: [:])
        }

        /// In the directory `path`, which is made where it is not there; a write returns once it is
        /// on disk.
        public static func directory(
            _ path: String, json: String = "{}", listen: String = "127.0.0.1:0"
        ) -> Configuration {
            Configuration(
                flags: ["data": [path], "listen": [listen]], json: json, file: nil,
                environment: [:])
        }

        /// A configuration as `freshet serve --config PATH` has it.
        public static func file(_ path: String) -> Configuration {
            Configuration(flags: [:], json: nil, file: path, environment: [:])
        }

        /// A configuration with values for `{"env":"NAME"}`, and for the variables that
        /// the program `freshet` takes.
        public func with(environment: [String: String]) -> Configuration {
            var changed = self
            changed.environment = environment
            return changed
        }
    }

    /// Why there is no server.
    public struct StartError: Error, Sendable, CustomStringConvertible {
        /// At least one sentence, with the place in the configuration where it is at fault.
        public let faults: [String]

        public var description: String { faults.joined(separator: "\n") }
    }

    /// What the program brings of its own.
    public struct Extensions: Sendable {
        /// Run specifications by name, for `{"spec":"NAME"}` of the configuration and
        /// `SpecExpression.named`.
        public var specifications: SpecificationRegistry
        /// Values under typed keys that its run specifications look at.
        public var context: RunContext

        public init(
            specifications: SpecificationRegistry = SpecificationRegistry(),
            context: RunContext = RunContext()
        ) {
            self.specifications = specifications
            self.context = context
        }
    }

    /// Decides when operations run: conditions, links, and the program's run specifications.
    ///
    /// Its conditions, specifications and operations are the server's: `declare` is not for this
    /// board, `attach` and `detach` are for ids that the program has chosen.
    public let board: OperationBoard
    private let server: FreshetServer
    private let changes: EntityChanges
    private let life = ServerLife()

    /// Reads the configuration, opens the store and listens. Blocks while a log is replayed.
    ///
    /// A write to a file that is over the process's limit of file sizes is to fail as any other
    /// does, so the signal SIGXFSZ is ignored from here on.
    public init(
        _ configuration: Configuration, _ extensions: Extensions = Extensions()
    ) throws(StartError) {
        signal(SIGXFSZ, SIG_IGN)
        let settings = try Self.settings(configuration, extensions)
        let log = Log(level: settings.logLevel, format: settings.logFormat)
        board = OperationBoard(
            registry: extensions.specifications, context: extensions.context)
        do { server = try FreshetServer(settings, log: log, board: board) } catch {
            throw StartError(faults: [error.sentence])
        }
        changes = EntityChanges(life)
        server.core.watcher.live.listen { [changes] in changes.receive($0) }
    }

    deinit {
        stop()
    }

    /// Where it listens, such as `http://127.0.0.1:40123`.
    public var url: String { server.url }

    /// The data, without HTTP.
    public var entities: Entities { Entities(core: server.core, life: life) }

    /// Has `handler` told of every change of entities of `type` from now on, in the order of the
    /// commits, one call after the other, in a task of its own.
    ///
    /// A handler that is slow holds up nobody: up to 10,000 changes wait for it, and what comes
    /// beyond is left out and told as `missed`.
    ///
    /// - Parameters:
    ///   - type: A letter, then letters, digits, `_` and `-`; another name ends the program. nil: of
    ///     all types.
    ///   - handler: Told of one change at a time; of nothing once the server has been stopped.
    /// - Returns: Ends it when it is cancelled or released.
    public func onChange(
        of type: String? = nil, _ handler: @escaping @Sendable (EntityChange) async -> Void
    ) -> RunSubscription {
        if let type {
            precondition(
                TypeName(type) != nil, "onChange(of:): \(TypeName.refusal(of: type))")
        }
        return changes.add(type, handler)
    }

    /// Has `controller` drive a query: what it yields is stored as what a fetch has found, in one
    /// commit with all that waits, and reaches everybody who watches.
    ///
    /// The query is an operation of that name from then on, beside those of the configuration:
    /// `GET /v1/_operations/NAME` shows its value, its errors and its controllers.
    ///
    /// A controller that throws is called again after a pause; one that hangs or floods is cut off.
    /// None of it touches anything else.
    ///
    /// - Parameters:
    ///   - operation: Its name: letters, digits, `_`, `-` and `.`, the first one a letter or digit.
    ///   - query: Which rows a whole value names: the ones that pass its filter.
    ///   - controller: Called when the query is to be driven, and again after a fault.
    ///   - specification: The controller is at work only while this holds.
    /// - Returns: Ends the controller when it is cancelled or released.
    /// - Throws: What is wrong with the name or the query; `bad-parameter` where an operation of this
    ///   name asks something else; `shutting-down` once the server has been stopped.
    public func drive(
        _ operation: String, _ query: EntityQuery, by controller: any OperationController,
        while specification: some RunSpecification = SpecExpression.constant(true)
    ) throws(EntityProblem) -> DrivenOperation {
        try life.check()
        return try server.drive(
            operation, query, by: controller, while: specification.expression)
    }

    /// Has `controller` drive an operation that the configuration names, as one of its `controllers`.
    ///
    /// - Throws: `not-found` where there is none; `shutting-down` once the server has been stopped.
    public func drive(
        _ operation: String, by controller: any OperationController,
        while specification: some RunSpecification = SpecExpression.constant(true)
    ) throws(EntityProblem) -> DrivenOperation {
        try life.check()
        return try server.drive(operation, nil, by: controller, while: specification.expression)
    }

    /// Stops as SIGTERM stops the program: streams are told `bye`, requests are finished, the log is
    /// synced. Blocks until then; once is enough.
    ///
    /// Watches of `entities` end with `shutting-down`, and what is asked of them from now on is refused
    /// so; another `EntityServer` may open the directory afterwards. Releasing the server stops it,
    /// too.
    public func stop() {
        life.stop()
        server.stop()
        changes.end()
    }

    private static func settings(
        _ configuration: Configuration, _ extensions: Extensions
    ) throws(StartError) -> ServeSettings {
        var source = ConfigurationSource(
            flags: configuration.flags, environment: configuration.environment,
            path: configuration.file, content: configuration.json.map { Array($0.utf8) })
        let registered = extensions.specifications.registered
        source.specifications = Set(registered.keys)
        let settings: ServeSettings
        do { settings = try source.load() } catch {
            throw StartError(faults: error.faults.map(\.description))
        }
        let faults = faults(of: registered.merging(settings.operations.specs) { $1 })
        guard faults.isEmpty else { throw StartError(faults: faults) }
        return settings
    }

    /// The named specifications that are too large with those in place that they name.
    private static func faults(of specs: [String: SpecExpression]) -> [String] {
        let named = NamedSpecs(specs)
        return specs.sorted { $0.key < $1.key }.compactMap { name, specification in
            named.excess(of: specification).map { "the run specification '\(name)': \($0)" }
        }
    }
}
