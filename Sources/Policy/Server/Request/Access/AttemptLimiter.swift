import FreshetBase

/// Counts failed attempts by client network. Any thread.
///
/// Ten in a minute are answered as what they are; the next one shuts the network out for a second,
/// and each one behind that for twice as long, up to a minute. A minute without failures forgets
/// all. An IPv6 network is a /64, which is what one client has at its disposal.
// SAFETY: its variables are read and written under `lock` only.
final class AttemptLimiter: @unchecked Sendable {
    private static let free = 10
    private static let memory = Duration.seconds(60)
    private static let longest = 60
    /// Entries; past it the one whose last failure is the oldest of some goes.
    static let capacity = 4_096
    private static let candidates = 16

    private struct Entry {
        var failures: Int
        var last: MonotonicInstant
        var shutUntil: MonotonicInstant
        var seconds: Int
    }

    private let lock = Lock()
    private var entries: [UInt64: Entry] = [:]

    /// How many networks are remembered.
    var count: Int { lock.withLock { entries.count } }

    /// Notes a failure.
    ///
    /// - Returns: Seconds until the network may try again, nil where it may at once.
    func failure(of network: UInt64, at now: MonotonicInstant) -> Int? {
        lock.withLock {
            var entry = entries[network] ?? makeEntry(now)
            if now < entry.shutUntil {
                return Int((entry.shutUntil - now) / .seconds(1)) + 1
            }
            if now - entry.last > Self.memory {
                entry = Entry(failures: 0, last: now, shutUntil: now, seconds: 0)
            }
            entry.failures += 1
            entry.last = now
            if entry.failures > Self.free {
                entry.seconds = min(max(1, entry.seconds * 2), Self.longest)
                entry.shutUntil = now + .seconds(entry.seconds)
                // The minute of quiet begins when the network may try again.
                entry.last = entry.shutUntil
            }
            entries[network] = entry
            return entry.failures > Self.free ? entry.seconds : nil
        }
    }

    private func makeEntry(_ now: MonotonicInstant) -> Entry {
        if entries.count >= Self.capacity {
            // A dictionary's order is random, so its first entries are a sample.
            let oldest = entries.prefix(Self.candidates).min { $0.value.last < $1.value.last }
            if let oldest { entries[oldest.key] = nil }
        }
        return Entry(failures: 0, last: now, shutUntil: now, seconds: 0)
    }
}
