import Foundation
import FreshetBase

/// What a tail has told, for a test's thread that waits for it.
// SAFETY: mutable state is read and written while `changed` is locked.
final class TailEvents: @unchecked Sendable {
    private let changed = NSCondition()
    private var events: [LogEvent] = []
    private let limit: Int

    /// - Parameter limit: Events that are taken; the one behind them is refused.
    init(limit: Int = .max) { self.limit = limit }

    var take: @Sendable (LogEvent) -> Bool {
        { event in
            self.changed.withLock {
                guard self.events.count < self.limit else { return false }
                self.events.append(event)
                self.changed.broadcast()
                return true
            }
        }
    }

    /// Waits until `isWanted` says so of what was told so far.
    func wait(_ isWanted: ([LogEvent]) -> Bool) {
        changed.withLock { while !isWanted(events) { changed.wait() } }
    }

    /// Waits for a head of that value, and returns all that was told up to it.
    @discardableResult
    func wait(forHead value: [UInt8]) -> [LogEvent] {
        wait { $0.heads.contains(value) }
        return all
    }

    var all: [LogEvent] { changed.withLock { events } }
}

extension [LogEvent] {
    var heads: [[UInt8]] {
        compactMap { if case .head(let value) = $0 { value.bytes } else { nil } }
    }

    var records: [LogRecord] {
        compactMap { if case .record(let record) = $0 { record } else { nil } }
    }

    var troubles: [LogTrouble] {
        compactMap { if case .broken(let trouble) = $0 { trouble } else { nil } }
    }
}
