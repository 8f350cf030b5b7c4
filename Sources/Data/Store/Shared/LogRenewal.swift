package import FreshetBase
import Glibc

/// A new epoch for a log that went back.
///
/// A replica that stops with `log-rewound` or `log-forked` has shown commits that the log has lost; their
/// seqs become those of other commits. A cursor of before would be resumed from there, and its client
/// would keep what is gone. So before such a replica joins anew the log gets another epoch: each cursor
/// of before is answered with a snapshot then. All others stop with `log-recovered`, and join.
///
/// A log that another replica follows keeps its epoch, or that one would have to stop. Who follows puts a
/// head within the longest wait to lead; the step that puts the new epoch fails where one has come.
package enum LogRenewal {
    package enum Outcome: Equatable, Sendable {
        /// The log has another epoch by this call, and can be read from its beginning.
        case renewed
        /// Another replica follows the log, or has given it another epoch already.
        case isFollowed(first: Cursor, leader: String)
        /// No replica follows the log, and what it had before `first` is in their directories alone:
        /// with another epoch nobody could join it. Nothing was changed.
        case lacksBeginning(first: Cursor)
    }

    /// Between two looks at the head.
    private static let pause = Duration.milliseconds(250)

    /// The longest time without a head where a replica follows the log: three times `takeover` and a
    /// third for one that leads last, and a second for what it is behind.
    private static func longestSilence(_ settings: ReplicaSettings) -> Duration {
        settings.takeover * 4 + .seconds(1)
    }

    /// Gives `log` another epoch, unless another replica follows it. Waits for as long as that takes to
    /// be seen.
    ///
    /// - Parameters:
    ///   - epoch: That of the directory which is ahead of the log.
    ///   - settings: Of the replica that is to join. It leads then, without a wait.
    ///   - sleep: Waits for so long; tests give theirs.
    /// - Throws: `.logAway`, also where there is no log any more: it is not made here.
    package static func renew(
        _ log: any SharedLog, of epoch: Epoch, for settings: ReplicaSettings,
        sleep: (Duration) -> Void = { usleep(UInt32(clamping: Int64($0 / .microseconds(1)))) }
    ) throws(StoreError) -> Outcome {
        let (value, head) = try read(log)
        var next = head
        next.epoch = .random()
        next.term += 1
        next.leader = settings.replica
        next.instance = .random(in: 1...UInt64.max)
        next.url = settings.url
        next.beat = 0
        next.successor = nil
        let bytes = next.encoded()
        var waited = Duration.zero
        while true {
            let (now, nowHead) = try read(log)
            if now.bytes == bytes { return .renewed }
            guard now.bytes == value.bytes, head.epoch == epoch else {
                return .isFollowed(first: nowHead.first, leader: nowHead.url)
            }
            if waited >= longestSilence(settings) {
                guard head.floor == 1 else { return .lacksBeginning(first: head.first) }
                do throws(LogTrouble) {
                    _ = try log.append(nil, head: bytes, expecting: now)
                    return .renewed
                } catch {
                    // What became of a step without an answer the head tells, and of two that expect the
                    // same one is made at most.
                    switch error {
                    case .conflict, .unknown: break
                    case .refused, .full, .away, .truncated: throw .logAway(reason: error.text)
                    }
                }
            }
            sleep(pause)
            waited += pause
        }
    }

    static func read(
        _ log: any SharedLog
    ) throws(StoreError) -> (value: LogValue, head: LogHead) {
        let found: LogValue?
        do throws(LogTrouble) {
            found = try log.head()
        } catch {
            throw .logAway(reason: error.text)
        }
        guard let found, let head = LogHead(found.bytes) else {
            throw .logAway(reason: "it has no head that can be read")
        }
        return (found, head)
    }
}
