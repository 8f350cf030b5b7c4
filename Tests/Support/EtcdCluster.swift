import FreshetBase

/// etcd in processes of its own, on ports of the loopback address that were free, with its data in a
/// temporary folder. Its calls block.
// SAFETY: mutable state is read and written under `lock`.
package final class EtcdCluster: @unchecked Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Where the program is; nil: none is installed (`apt-get install etcd-server`).
    package static let program = Program.place(of: "etcd")

    /// What a suite that needs it says where it is missing.
    package static let missing: String = "etcd is missing; .ci/run installs it (etcd-server)"

    private struct Node {
        let client: UInt16
        let peer: UInt16
        var running: LeashedProgram?
    }

    package var folder: String { swept.path }
    private let flags: [String]
    private let scheme: String
    private let swept: SweptFolder
    private let lock = Lock()
    private var nodes: [Node]

    /// Starts `count` nodes, and waits until they serve.
    ///
    /// - Parameter flags: Further ones of each node.
    package init(_ count: Int = 1, flags: [String] = [], isSecure: Bool = false) throws {
        swept = try SweptFolder("etcd")
        self.flags = flags
        scheme = isSecure ? "https" : "http"
        nodes = (0..<count).map { _ in
            Node(client: ServerPort.free(), peer: ServerPort.free(), running: nil)
        }
        let all = Array(0..<count)
        for node in all { try launch(node) }
        for node in all { try awaitService(node) }
    }

    deinit {
        for node in nodes.indices { kill(node) }
        swept.remove()
    }

    /// Where clients go: `127.0.0.1:2379,127.0.0.1:2479`.
    package var places: String {
        nodes.map { "127.0.0.1:\($0.client)" }.joined(separator: ",")
    }

    /// The node that takes requests of clients at `place`.
    package func node(at place: some StringProtocol) -> Int? {
        nodes.firstIndex { "127.0.0.1:\($0.client)" == place }
    }

    // MARK: One node

    /// As a power failure ends it; returns when it is gone.
    package func kill(_ node: Int) {
        let running = lock.withLock {
            defer { nodes[node].running = nil }
            return nodes[node].running
        }
        running?.kill()
    }

    /// Stops it where it is, as a machine that hangs.
    package func freeze(_ node: Int) { running(node)?.freeze(true) }

    package func thaw(_ node: Int) { running(node)?.freeze(false) }

    private func running(_ node: Int) -> LeashedProgram? { lock.withLock { nodes[node].running } }

    /// Starts it again with what it has on disk, or with nothing where the folder is gone.
    package func start(_ node: Int) throws {
        try launch(node)
        try awaitService(node)
    }

    private func launch(_ node: Int) throws {
        guard let program = Self.program else { throw Failure(description: Self.missing) }
        let name = { (node: Int) in "n\(node)" }
        let ports = lock.withLock { nodes.map { ($0.client, $0.peer) } }
        let clients = "\(scheme)://127.0.0.1:\(ports[node].0)"
        let peers = "http://127.0.0.1:\(ports[node].1)"
        let words =
            [
                program, "--name", name(node), "--data-dir", "\(folder)/\(name(node))",
                "--listen-client-urls", clients, "--advertise-client-urls", clients,
                "--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers,
                "--initial-cluster",
                ports.enumerated().map { "\(name($0))=http://127.0.0.1:\($1.1)" }
                    .joined(separator: ","),
                "--initial-cluster-token", "freshet-test", "--logger", "zap",
                "--heartbeat-interval", "100", "--election-timeout", "1000",
            ] + flags
        let running = try LeashedProgram(words)
        lock.withLock { nodes[node].running = running }
    }

    private func awaitService(_ node: Int) throws {
        try running(node)?.awaitLine("serving client traffic")
    }
}
