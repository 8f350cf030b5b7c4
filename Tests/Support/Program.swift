import Foundation
import FreshetBase
import Glibc

/// A program of this machine, in a process of its own.
package enum Program {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Whether `name` is in the path.
    package static func exists(_ name: String) -> Bool { place(of: name) != nil }

    /// Where `name` is; nil: not in the path.
    package static func place(of name: String) -> String? {
        (getenv("PATH").map { String(cString: $0) } ?? "").split(separator: ":")
            .map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// Runs `words`, the first of which is a program of the path, in `folder`, to its end. It blocks.
    ///
    /// - Returns: What it has written.
    /// - Throws: What it has written, where its status is not 0.
    @discardableResult
    package static func run(_ words: [String], in folder: String = "/tmp") throws -> String {
        let script = "cd \"$1\" && shift && exec \"$@\""
        let (leash, output, process) = try spawn(
            ["/bin/sh", "-c", script, "sh", folder] + words)
        close(leash)
        let text = output.text
        var status: CInt = 0
        waitpid(process, &status, 0)
        guard status == 0 else {
            throw Failure(description: "\(words.joined(separator: " ")): \(text)")
        }
        return text
    }

    /// One at a time: a pipe's ends are not to be inherited by another's child.
    private static let spawning = Lock()

    static func spawn(_ words: [String]) throws -> (CInt, ProgramOutput, pid_t) {
        try spawning.withLock { try spawnAlone(words) }
    }

    private static var highestDescriptor: CInt {
        let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        return open?.compactMap(CInt.init).max() ?? 1_024
    }

    private static func spawnAlone(_ words: [String]) throws -> (CInt, ProgramOutput, pid_t) {
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
        // Sockets of tests beside this one would stay open in the child, and their ends never come. The
        // system ignores those that are closed already; a new one has a low number.
        for descriptor in 3...highestDescriptor + 64 {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
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
        return (input[1], ProgramOutput(output[0]), process)
    }
}

/// What a process writes, read by a thread of its own so that it never waits.
// SAFETY: mutable state is read and written while `changed` is locked.
final class ProgramOutput: @unchecked Sendable {
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

    /// Waits for the end, and returns what is kept.
    var text: String {
        awaitEnd()
        return changed.withLock { lines.joined(separator: "\n") }
    }

    var last: String { changed.withLock { lines.suffix(3).joined(separator: "; ") } }
}
