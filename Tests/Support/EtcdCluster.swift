import Foundation
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
    package static let program: String? = (getenv("PATH").map { String(cString: $0) } ?? "")
        .split(separator: ":").map { "\($0)/etcd" }.first { access($0, X_OK) == 0 }

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
        let output: Output
    }

    package let folder: String
    private let flags: [String]
    private let scheme: String
    private let lock = Lock()
    private var nodes: [Node]

    /// Starts `count` nodes, and waits until they serve.
    ///
    /// - Parameter flags: Further ones of each node.
    package init(_ count: Int = 1, flags: [String] = [], isSecure: Bool = false) throws {
        var template = Array("/tmp/freshet-etcd-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(description: "no folder") }
        folder = template.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        self.flags = flags
        scheme = isSecure ? "https" : "http"
        nodes = (0..<count).map { _ in
            Node(client: ScriptedServer.freePort(), peer: ScriptedServer.freePort(), running: nil)
        }
        let all = Array(0..<count)
        for node in all { try launch(node) }
        for node in all { try awaitService(node) }
    }

    deinit {
        for node in nodes.indices { kill(node) }
        try? FileManager.default.removeItem(atPath: folder)
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
        let (leash, output, shell) = try Self.spawn(["/bin/sh", "-c", script, "sh"] + words)
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

    /// One at a time: a pipe's ends are not to be inherited by another's child.
    private static let spawning = Lock()

    private static func spawn(_ words: [String]) throws -> (CInt, Output, pid_t) {
        try spawning.withLock { try spawnAlone(words) }
    }

    private static func spawnAlone(_ words: [String]) throws -> (CInt, Output, pid_t) {
        var input: [CInt] = [0, 0]
        var output: [CInt] = [0, 0]
        guard pipe(&input) == 0, pipe(&output) == 0 else { throw Failure(description: "no pipe") }
        for descriptor in input + output { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input[0], 0)
        posix_spawn_file_actions_adddup2(&actions, output[1], 1)
        posix_spawn_file_actions_adddup2(&actions, output[1], 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Threads of tests may have signals blocked, which a child would inherit.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        let status = posix_spawn(
            &process, words[0], &actions, &attributes, &arguments, environ)
        close(input[0])
        close(output[1])
        guard status == 0 else {
            close(input[1])
            close(output[0])
            throw Failure(description: "\(words[0]): \(String(cString: strerror(status)))")
        }
        return (input[1], Output(output[0]), process)
    }
}

/// What a process writes, read by a thread of its own so that it never waits.
// SAFETY: mutable state is read and written while `changed` is locked.
private final class Output: @unchecked Sendable {
    private let changed = NSCondition()
    private var lines: [String] = []
    private var taken = 0
    private var hasEnded = false

    init(_ descriptor: CInt) {
        Thread.detachNewThread { [self] in
            var rest: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 8_192)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                rest += buffer[..<count]
                var parts = rest.split(separator: 0x0A, omittingEmptySubsequences: false)
                rest = parts.popLast().map(Array.init) ?? []
                add(parts.map { String(decoding: $0, as: UTF8.self) })
            }
            close(descriptor)
            changed.withLock {
                hasEnded = true
                changed.broadcast()
            }
        }
    }

    private func add(_ more: [String]) {
        changed.withLock {
            lines += more
            // A log of hours is not kept.
            if taken > 1_000 {
                lines.removeFirst(taken)
                taken = 0
            }
            changed.broadcast()
        }
    }

    /// The next line of which `isWanted` says so; nil where the process ends before.
    func line(_ isWanted: (String) -> Bool) -> String? {
        changed.withLock {
            while true {
                while taken < lines.count {
                    taken += 1
                    if isWanted(lines[taken - 1]) { return lines[taken - 1] }
                }
                if hasEnded { return nil }
                changed.wait()
            }
        }
    }

    func awaitEnd() {
        changed.withLock { while !hasEnded { changed.wait() } }
    }

    var last: String { changed.withLock { lines.suffix(3).joined(separator: "; ") } }
}
