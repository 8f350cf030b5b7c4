import FreshetBase
import FreshetHTTPClient
import FreshetRefresh
import FreshetRemote

/// The credentials of the upstreams by name, for requests and for operators.
///
/// A credential whose configuration stays the same stays the same object when the configuration is
/// read anew, since its tokens are in it.
final class CredentialTable: Sendable {
    /// Makes what sends requests to that origin, by that route, and nowhere else.
    typealias MakeTransport = @Sendable (UpstreamBase, HTTPRoute) -> any UpstreamTransport

    private struct State: Sendable {
        var credentials: [String: OAuth2Credential] = [:]
        var observers: [@Sendable (_ upstream: String) -> Void] = []
    }

    private let upstreams: [String: Upstream]
    private let directory: String?
    private let log: Log
    private let makeTransport: MakeTransport
    private let state = Shared(State())
    /// 1 where tokens are got before a request needs them.
    private let acquires = Counter()

    /// - Parameters:
    ///   - upstreams: What has each credential of its name set that holds.
    ///   - directory: The data directory; nil where nothing lasts.
    init(
        of upstreams: [String: Upstream], directory: String?, log: Log,
        transport: @escaping MakeTransport
    ) {
        self.upstreams = upstreams
        self.directory = directory
        self.log = log
        makeTransport = transport
    }

    /// The upstreams that have one.
    var names: [String] { state.value.credentials.keys.sorted() }

    subscript(_ upstream: String) -> OAuth2Credential? {
        state.value.credentials[upstream]
    }

    /// Has credentials acquired that are to be early; those that come later, too.
    func begin() {
        acquires.set(1)
        acquire(Array(state.value.credentials.values))
    }

    /// Has none acquired that no request needs.
    func pause() { acquires.set(0) }

    private func acquire(_ credentials: [OAuth2Credential]) {
        guard acquires.value == 1 else { return }
        for credential in credentials {
            Task(executorPreference: PolicyExecutor.shared) { await credential.acquireEarly() }
        }
    }

    /// Takes over all configured credentials: those that are the same go on, new ones are made and
    /// acquired where they are to be early, others are forgotten.
    func replace(_ configurations: [String: OAuth2Configuration]) {
        let before = state.value.credentials
        var after: [String: OAuth2Credential] = [:]
        var made: [OAuth2Credential] = []
        for (upstream, configuration) in configurations {
            if let known = before[upstream], known.configuration == configuration {
                after[upstream] = known
                continue
            }
            let credential = OAuth2Credential(
                id: upstream, configuration, replacing: before[upstream], directory: directory,
                log: log, transport: makeTransport)
            after[upstream] = credential
            made.append(credential)
        }
        state.update { $0.credentials = after }
        for (name, upstream) in upstreams { upstream.credential = after[name] }
        for credential in made {
            let upstream = credential.id
            credential.observe { [weak self] in self?.notify(upstream) }
        }
        for upstream in Set(before.keys).union(after.keys)
        where before[upstream] !== after[upstream] {
            notify(upstream)
        }
        acquire(made)
    }

    /// Has `observer` called with the upstream's name after each change of its credential, on any
    /// thread; it finds what holds by now in the table.
    func observe(_ observer: @escaping @Sendable (_ upstream: String) -> Void) {
        state.update { $0.observers.append(observer) }
    }

    private func notify(_ upstream: String) {
        for observer in state.value.observers { observer(upstream) }
    }
}
