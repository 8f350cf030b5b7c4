/// The log of an engine that orders commits for several servers and keeps them durable. It knows
/// keys and bytes, nothing of what they mean.
///
/// There is one *head*, a small value. All that is ever written is written by one atomic step of the
/// engine: *if the head is exactly what the writer last saw, put this record, put that head*. That is
/// the only thing an engine has to promise beside durability, and the only thing trusted of it.
///
/// The calls wait for the engine's answer; they belong to one thread of the caller.
package protocol SharedLog: AnyObject, Sendable {
    /// The head as a quorum of the engine has it now; nil where nobody has made the log.
    func head() throws(LogTrouble) -> LogValue?
    /// Bytes that a record may have; a larger one is put in parts.
    var recordLimit: Int { get }
    /// Puts `record` and `head`, each where it is given, if the head is still `expected`.
    ///
    /// - Parameter expected: nil: there is none yet.
    /// - Returns: The head that stands now.
    /// - Throws: `.conflict` where the head is another one, which says nothing of an earlier try of
    ///   the same step; `.unknown` where the step may have been made, or may still be.
    func append(
        _ record: LogRecord?, head: [UInt8]?, expecting expected: LogValue?
    ) throws(LogTrouble) -> LogValue
    /// Records from the one at `seq` on, in order, at most `limit` and at least one where there is
    /// one. A record in parts comes as its parts, all of them.
    func read(from seq: UInt64, limit: Int) throws(LogTrouble) -> [LogRecord]
    /// What was read last is not what it has to be: the next read asks another node, where there are
    /// several.
    func turnAway()
    /// Tells of what is put from `seq` on, and of each head, in the engine's order, until it is
    /// cancelled. Nothing is left out between two events: where the engine cannot say what was missed,
    /// it says `.broken` and begins again with `.head`.
    ///
    /// - Parameter take: Called by one thread at a time; returns false where it takes no more now,
    ///   which ends the tail.
    func tail(
        from seq: UInt64, _ take: @escaping @Sendable (LogEvent) -> Bool
    ) -> any SharedLogTail
    /// Deletes the records before `seq`.
    func truncate(below seq: UInt64) throws(LogTrouble)
    /// Gives back at once what truncation has freed: the history of what is deleted, and space on the
    /// engine's disks. Any thread, beside the calls of the owner; takes its time.
    ///
    /// - Parameter goesOn: Asked before each of the engine's nodes: whether it is still to be done.
    func makeRoom(while goesOn: () -> Bool) throws(LogTrouble)
    /// What an operator wants to know of the engine, by name: `bytes` and `quota` are numbers, of the
    /// space that it takes and of that at which it refuses everything. Any thread.
    func describe() -> [(name: String, value: String)]
}

extension SharedLog {
    package func makeRoom(while goesOn: () -> Bool) throws(LogTrouble) {}
    package func turnAway() {}
}

/// A tail of a log, which its owner ends.
package protocol SharedLogTail: AnyObject, Sendable {
    /// No event comes after it returns, but for one that is being taken.
    func cancel()
}

/// The head as it was read or written.
package struct LogValue: Equatable, Sendable {
    package let bytes: [UInt8]
    /// The engine's own count of its changes; 0 where it has none. It may come again after a restore.
    package let revision: UInt64

    package init(bytes: [UInt8], revision: UInt64) {
        self.bytes = bytes
        self.revision = revision
    }
}

/// Bytes of the log under the seq of their first commit.
package struct LogRecord: Equatable, Sendable {
    /// What an engine holds under this seq or a higher one is no record, whoever has put it there.
    package static let seqLimit: UInt64 = 1 << 62

    /// A piece of a record that is larger than the engine takes.
    package struct Part: Hashable, Sendable {
        /// Of the record that it belongs to: others of that seq were never finished.
        package let record: String
        /// From 0.
        package let number: Int

        package init(record: String, number: Int) {
            self.record = record
            self.number = number
        }
    }

    package let seq: UInt64
    package let part: Part?
    package let bytes: [UInt8]

    package init(seq: UInt64, part: Part? = nil, bytes: [UInt8]) {
        self.seq = seq
        self.part = part
        self.bytes = bytes
    }
}

/// What a tail tells.
package enum LogEvent: Sendable {
    case record(LogRecord)
    case head(LogValue)
    case broken(LogTrouble)
}

/// Why a call of a shared log has no result.
package enum LogTrouble: Error, Equatable, Sendable {
    /// The head is another one.
    case conflict
    /// No answer, or one that leaves the outcome open; with what happened, in words.
    case unknown(String)
    /// The engine has taken the request and refuses it: its disk is full, the password is wrong.
    case refused(String)
    /// The engine's space is used up: it has refused this, and does so until there is room.
    case full(String)
    /// Nothing was sent: the engine cannot be reached, or has no quorum.
    case away(String)
    /// What is asked for is gone; `floor` is the first seq that is left.
    case truncated(floor: UInt64)

    /// In words.
    package var text: String {
        switch self {
        case .conflict: "another has written"
        case .unknown(let text), .refused(let text), .full(let text), .away(let text): text
        case .truncated(let floor): "the log begins at seq \(floor)"
        }
    }
}
