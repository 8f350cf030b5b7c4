import FreshetBase
import Testing

@testable import FreshetLogDrivers

@Suite("The keys of a shared log on etcd")
struct EtcdKeysTests {
    private let keys = EtcdKeys(prefix: "p")

    @Test("A record's key says its seq and its part")
    func records() {
        for seq in [0, 1, 255, LogRecord.seqLimit - 1] {
            for part in [nil, LogRecord.Part(record: "x", number: 11)] {
                let record = LogRecord(seq: seq, part: part, bytes: [])
                let parsed = keys.parse(keys.key(record))
                #expect(parsed?.seq == seq && parsed?.part == part)
            }
        }
    }

    @Test(
        "A key that no record has is none",
        arguments: [
            "", "0", "hello", "0000000000000001/", "0000000000000001/x", "0000000000000001//1",
            "0000000000000001/x/1/2", "0000000000000001/x/-1", "0000000000000001/x/+1",
            "0000000000000001/x/01", "000000000000000A", "+000000000000001", "00000000000000001",
            "4000000000000000", "7fffffffffffffff", "ffffffffffffffff",
        ])
    func strays(name: String) {
        #expect(keys.parse(bytes("p/log/\(name)")) == nil)
    }
}
