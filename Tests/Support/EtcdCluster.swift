import FreshetBase
import Glibc

/// etcd in processes of its own, on ports of the loopback address that were free, with its data in a
/// temporary folder. Its calls block.
///
/// Each node is the child of a small shell, which kills it when this process ends or lets go of it: so
/// no node is left behind, whatever becomes of the tests.
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
        var running: Running?
    }

    /// A node's process, and the shell over it.
    private struct Running {
        let process: pid_t
        let shell: pid_t
        /// Held open as long as it is to run.
        let leash: CInt
        let output: ProgramOutput
    }

    package let folder: String
    private let flags: [String]
    private let scheme: String
    /// A shell that removes the folder when this process ends or lets go of it.
    private let sweeper: (leash: CInt, process: pid_t)
    private let lock = Lock()
    private var nodes: [Node]

    /// Starts `count` nodes, and waits until they serve.
    ///
    /// - Parameter flags: Further ones of each node.
    package init(_ count: Int = 1, flags: [String] = [], isSecure: Bool = false) throws {
        var template = Array("/tmp/freshet-etcd-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(description: "no folder") }
        folder = template.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let sweeping = "cat >/dev/null; until rm -rf \"$1\" 2>/dev/null; do :; done"
        let (leash, _, process) = try Program.spawn(["/bin/sh", "-c", sweeping, "sh", folder])
        sweeper = (leash, process)
        self.flags = flags
        scheme = isSecure ? "https" : "http"
        nodes = (0..<count).map { _ in
            Node(client: Self.freePort(), peer: Self.freePort(), running: nil)
        }
        let all = Array(0..<count)
        for node in all { try launch(node) }
        for node in all { try awaitService(node) }
    }

    deinit {
        for node in nodes.indices { kill(node) }
        close(sweeper.leash)
        var status: CInt = 0
        waitpid(sweeper.process, &status, 0)
    }

    /// A port that nobody listens on, and nobody will: below those that the system gives to others'
    /// connections, and no other cluster's of this process.
    private static func freePort() -> UInt16 {
        while true {
            let port = UInt16.random(in: 10_000..<32_000)
            let isNew = issued.withLock { ports.insert(port).inserted }
            guard isNew else { continue }
            let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            let status = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            if status == 0 { return port }
        }
    }

    private static let issued = Lock()
    // SAFETY: read and written under `issued`.
    nonisolated(unsafe) private static var ports: Set<UInt16> = []

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
        guard let running else { return }
        close(running.leash)
        var status: CInt = 0
        waitpid(running.shell, &status, 0)
        running.output.awaitEnd()
    }

    /// Stops it where it is, as a machine that hangs.
    package func freeze(_ node: Int) { signal(node, SIGSTOP) }

    package func thaw(_ node: Int) { signal(node, SIGCONT) }

    private func signal(_ node: Int, _ number: CInt) {
        if let running = lock.withLock({ nodes[node].running }) {
            Glibc.kill(running.process, number)
        }
    }

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
        // The number of the node's process comes first, then its log, whose end is the node's.
        let script =
            "\"$@\" </dev/null 2>&1 & echo $!; exec >/dev/null 2>&1; cat >/dev/null; kill -9 $!; wait"
        let (leash, output, shell) = try Program.spawn(["/bin/sh", "-c", script, "sh"] + words)
        guard let line = output.line({ pid_t($0) != nil }), let process = pid_t(line) else {
            close(leash)
            throw Failure(description: "no shell")
        }
        lock.withLock {
            nodes[node].running = Running(
                process: process, shell: shell, leash: leash, output: output)
        }
    }

    private func awaitService(_ node: Int) throws {
        guard let output = lock.withLock({ nodes[node].running?.output }) else { return }
        guard output.line({ $0.contains("serving client traffic") }) != nil else {
            throw Failure(description: "etcd has ended: \(output.last)")
        }
    }
}
