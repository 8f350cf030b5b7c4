import FreshetBase
import FreshetTestSupport
import Testing

@testable import FreshetLogDrivers

/// One etcd for the suites of this target: each test has a prefix of its own.
enum SharedEtcd {
    static let one = Result { try EtcdCluster() }

    static func log(
        _ prefix: String, _ change: (inout EtcdLog.Settings) -> Void = { _ in }
    ) throws -> EtcdLog {
        var settings = try EtcdLog.Settings(
            EtcdAddress("etcd://\(one.get().places)/tests/\(prefix)"))
        change(&settings)
        return try EtcdLog(settings)
    }
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

func record(_ seq: UInt64, _ text: String) -> LogRecord {
    LogRecord(seq: seq, bytes: bytes(text))
}

/// What a call of a log throws; nil where it does not.
func trouble<Value>(_ body: () throws(LogTrouble) -> Value) -> LogTrouble? {
    do throws(LogTrouble) {
        _ = try body()
        return nil
    } catch {
        return error
    }
}

extension EtcdLog {
    /// What a step throws; nil where it is made.
    func trouble(
        _ record: LogRecord?, _ head: String?, expecting expected: LogValue?
    ) -> LogTrouble? {
        FreshetLogDriversTests.trouble { () throws(LogTrouble) in
            try append(record, head: head.map(bytes), expecting: expected)
        }
    }

    /// A log with records of these seqs; the head's value is `h` and the last of them.
    @discardableResult
    func fill(_ seqs: some Collection<UInt64>) throws -> LogValue {
        var head = try append(nil, head: bytes("h0"), expecting: nil)
        for seq in seqs {
            head = try append(record(seq, "r\(seq)"), head: bytes("h\(seq)"), expecting: head)
        }
        return head
    }
}
