import Foundation
import FreshetBase
import Glibc

/// A server in a process of its own, the child of a small shell that kills it when this process ends or
/// lets go of it: so nothing is left behind, whatever becomes of the tests. Its calls block.
struct LeashedProgram: Sendable {
    private let process: pid_t
    private let shell: pid_t
    /// Held open as long as it is to run.
    private let leash: CInt
    let output: ProgramOutput

    /// - Parameter words: The program and its arguments.
    init(_ words: [String]) throws {
        // The number of the process comes first, then its log, whose end is that of the process. It has
        // a session of its own: one that is stopped when this process ends would have the shell hung up.
        let script =
            "setsid \"$@\" </dev/null 2>&1 & echo $!; exec >/dev/null 2>&1; cat >/dev/null; kill -9 $!; wait"
        (leash, output, shell) = try Program.spawn(["/bin/sh", "-c", script, "sh"] + words)
        guard let line = output.line({ pid_t($0) != nil }), let process = pid_t(line) else {
            close(leash)
            throw Program.Failure(description: "no shell")
        }
        self.process = process
    }

    /// As a power failure ends it; returns when it is gone. Once.
    func kill() {
        close(leash)
        var status: CInt = 0
        waitpid(shell, &status, 0)
        output.awaitEnd()
    }

    /// Stops it and its children where they are, as a machine that hangs, or has them go on. What is
    /// stopped does nothing any more when this returns.
    func freeze(_ isFrozen: Bool) {
        let all = [process] + children
        for process in all { Glibc.kill(process, isFrozen ? SIGSTOP : SIGCONT) }
        guard isFrozen else { return }
        for process in all { while !Self.hasStopped(process) { sched_yield() } }
    }

    /// Whether no thread of it runs.
    private static func hasStopped(_ process: pid_t) -> Bool {
        let tasks = "/proc/\(process)/task"
        let all = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        return all.allSatisfy { task in
            // The state follows the name, which may have any character.
            let text = try? String(contentsOfFile: "\(tasks)/\(task)/stat", encoding: .utf8)
            guard let state = text?.split(separator: ")").last?.first(where: { $0 != " " })
            else { return true }
            return "TtZX".contains(state)
        }
    }

    private var children: [pid_t] {
        let text = try? String(
            contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
        return text?.split(separator: " ").compactMap { pid_t($0) } ?? []
    }

    /// Waits until it writes a line with `words`.
    func awaitLine(_ words: String) throws {
        guard output.line({ $0.contains(words) }) != nil else {
            throw Program.Failure(description: "it has ended: \(output.last)")
        }
    }
}

/// A folder that is removed when this process ends or lets go of it.
struct SweptFolder: Sendable {
    let path: String
    private let leash: CInt
    private let sweeper: pid_t

    init(_ name: String) throws {
        var template = Array("/tmp/freshet-\(name)-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Program.Failure(description: "no folder") }
        path = template.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let sweeping = "cat >/dev/null; until rm -rf \"$1\" 2>/dev/null; do :; done"
        (leash, _, sweeper) = try Program.spawn(["/bin/sh", "-c", sweeping, "sh", path])
    }

    /// Once.
    func remove() {
        close(leash)
        var status: CInt = 0
        waitpid(sweeper, &status, 0)
    }
}

/// Ports of the loopback address for servers of tests.
package enum ServerPort {
    private static let issued = Lock()
    // SAFETY: read and written under `issued`.
    nonisolated(unsafe) private static var ports: Set<UInt16> = []

    /// One that nobody listens on, and nobody will: below those that the system gives to others'
    /// connections, and no other server's of this process.
    package static func free() -> UInt16 {
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
}
