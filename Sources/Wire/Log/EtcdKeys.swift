import FreshetBase

/// The names of a log's keys in etcd.
///
///     <prefix>/head                          the head
///     <prefix>/log/<seq>                     a record, by 16 hexadecimal digits
///     <prefix>/log/<seq>/<record>/<number>   further parts of one
///
/// So records come in the order of their seqs, each before its parts. Other keys may stand among them,
/// put there by hand: they are passed by.
struct EtcdKeys {
    let head: [UInt8]
    /// What the keys of records begin with.
    private let records: [UInt8]
    /// All keys of records are from the first to below the second.
    let allRecords: (from: [UInt8], to: [UInt8])
    /// All keys of the log, and none else, are from the first to below the second.
    let everything: (from: [UInt8], to: [UInt8])

    private static let digits = 16

    init(prefix: String) {
        head = Array("\(prefix)/head".utf8)
        records = Array("\(prefix)/log/".utf8)
        let digits = String(LogRecord.seqLimit, radix: 16)
        allRecords = (
            records + Array(0.padded(to: Self.digits).utf8),
            records + Array(digits.utf8)
        )
        // 0 follows the slash.
        everything = (Array("\(prefix)/".utf8), Array("\(prefix)0".utf8))
    }

    /// Of a record, which comes behind all records of lower seqs and their parts.
    func record(_ seq: UInt64) -> [UInt8] {
        records + Array(seq.padded(to: Self.digits, radix: 16).utf8)
    }

    func key(_ record: LogRecord) -> [UInt8] {
        let whole = self.record(record.seq)
        guard let part = record.part else { return whole }
        return whole + Array("/\(part.record)/\(part.number)".utf8)
    }

    /// The record, without its bytes, that `key` is of; nil for any other key.
    func parse(_ key: [UInt8]) -> (seq: UInt64, part: LogRecord.Part?)? {
        guard key.starts(with: records) else { return nil }
        let words = key[records.count...].split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false
        ).map { String(decoding: $0, as: UTF8.self) }
        guard words[0].utf8.count == Self.digits, let seq = UInt64(words[0], radix: 16),
            seq < LogRecord.seqLimit
        else { return nil }
        var part: LogRecord.Part?
        if words.count > 1 {
            guard words.count == 3, !words[1].isEmpty, let number = Int(words[2]), number >= 0
            else { return nil }
            part = .init(record: words[1], number: number)
        }
        // Signs and capitals are read as numbers as well: a record has one key.
        guard self.key(LogRecord(seq: seq, part: part, bytes: [])) == key else { return nil }
        return (seq, part)
    }
}
