import FreshetBase
package import FreshetRefresh

/// Tells the board how little memory is left, every few seconds for as long as a specification reads
/// it.
// SAFETY: the variables are read and written on the policy executor only, the subscription apart, which is set once
// by `begin`.
package final class PressurePublisher: @unchecked Sendable {
    /// From one measurement to the next.
    package static let interval = Duration.seconds(5)

    private let board: OperationBoard
    private let measure: @Sendable () -> MemoryUse?
    private var readers: RunSubscription?
    private var next: ScheduledAction?
    private var level = PressureLevel.normal
    private var hasStopped = false

    /// - Parameter measure: nil where it cannot be told: the level stays.
    package init(
        to board: OperationBoard,
        measure: @escaping @Sendable () -> MemoryUse? = { MemoryUse.now() }
    ) {
        self.board = board
        self.measure = measure
    }

    package func begin() {
        readers = board.observeReaders { [weak self] in self?.look() }
        look()
    }

    package func stop() {
        readers?.cancel()
        PolicyExecutor.shared.perform { [self] in
            hasStopped = true
            next?.cancel()
            next = nil
        }
    }

    private func look() {
        PolicyExecutor.shared.perform { [self] in
            guard board.isPressureRead, !hasStopped else {
                next?.cancel()
                next = nil
                return
            }
            if next == nil { publish() }
        }
    }

    private func publish() {
        next = board.clock.schedule(at: board.clock.now + Self.interval) { [weak self] in
            PolicyExecutor.shared.perform { [weak self] in
                self?.next = nil
                self?.look()
            }
        }
        PolicyWorkers.files.perform { [self] in
            guard let use = measure() else { return }
            PolicyExecutor.shared.perform { [self] in
                level = use.level(after: level)
                board.commit(.pressure(level))
            }
        }
    }
}

/// How much is taken of the memory that the process may have: of the machine's, or of its control
/// group's where that is tighter.
package struct MemoryUse: Sendable, Equatable {
    /// From 0 to 1.
    package let share: Double

    package init(share: Double) {
        self.share = share
    }

    private static let warning = 0.85
    private static let critical = 0.95
    /// A level is left this much below where it begins, so that it does not come and go.
    private static let slack = 0.03

    package func level(after last: PressureLevel) -> PressureLevel {
        if share >= Self.critical - (last == .critical ? Self.slack : 0) { return .critical }
        return share >= Self.warning - (last == .normal ? 0 : Self.slack) ? .warning : .normal
    }

    /// nil where the system does not tell.
    package static func now() -> MemoryUse? {
        let machine = KernelFile.text(at: "/proc/meminfo").flatMap { share(ofMachine: $0) }
        let own = KernelFile.text(at: "/proc/self/cgroup").flatMap { path(ofGroup: $0) }
        // In a container the group that it sees as the root may be its own.
        let groups = ["/sys/fs/cgroup\(own ?? "")", "/sys/fs/cgroup"].map { folder in
            share(
                ofGroup: KernelFile.text(at: folder + "/memory.current"),
                KernelFile.text(at: folder + "/memory.max"),
                KernelFile.text(at: folder + "/memory.stat"))
        }
        return (groups + [machine]).compactMap(\.self).max().map { MemoryUse(share: $0) }
    }

    /// By proc(5), `meminfo`.
    static func share(ofMachine text: String) -> Double? {
        let numbers = numbers(text)
        guard let total = numbers["MemTotal:"], total > 0,
            let available = numbers["MemAvailable:"]
        else { return nil }
        return 1 - Double(min(available, total)) / Double(total)
    }

    /// By the kernel's `cgroup-v2`; pages of files that nobody uses are given back before anything
    /// else. nil where there is no limit.
    static func share(ofGroup current: String?, _ limit: String?, _ statistics: String?) -> Double?
    {
        guard let limit = limit.flatMap({ UInt64($0.filter(\.isNumber)) }), limit > 0,
            let current = current.flatMap({ UInt64($0.filter(\.isNumber)) })
        else { return nil }
        let idle = statistics.flatMap { numbers($0)["inactive_file"] } ?? 0
        return Double(current - min(idle, current)) / Double(limit)
    }

    /// The line of version 2: `0::/path`.
    static func path(ofGroup text: String) -> String? {
        let line = text.split(separator: "\n").first { $0.hasPrefix("0::/") }
        return line.map { $0.dropFirst("0::".count) }.flatMap { $0 == "/" ? "" : String($0) }
    }

    /// The first number of each line by its first word.
    private static func numbers(_ text: String) -> [Substring: UInt64] {
        var numbers: [Substring: UInt64] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 2)
            if words.count > 1, let number = UInt64(words[1]) { numbers[words[0]] = number }
        }
        return numbers
    }
}
