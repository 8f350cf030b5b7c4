import Testing

@testable import FreshetLogDrivers

@Suite("The URL of a log on etcd")
struct EtcdAddressTests {
    @Test("Nodes, prefix and TLS are read; a node without a port has etcd's")
    func good() throws {
        let one = try EtcdAddress("etcd://h1:2379,h2,h3.example:1/freshet")
        #expect(one.nodes == ["http://h1:2379", "http://h2:2379", "http://h3.example:1"])
        #expect(one.prefix == "freshet" && !one.isSecure)
        let two = try EtcdAddress("etcds://[::1]:7,10.0.0.1/a/b_c-d.e/7")
        #expect(two.nodes == ["https://[::1]:7", "https://10.0.0.1:2379"])
        #expect(two.prefix == "a/b_c-d.e/7" && two.isSecure)
        #expect(try EtcdAddress("etcd://[fe80::1]/p").nodes == ["http://[fe80::1]:2379"])
    }

    @Test(
        "What is wrong is named",
        arguments: [
            ("http://h/p", "the log's URL begins with etcd://, etcds:// or postgres://"),
            ("etcd:///p", "the log's URL names no node: etcd://HOST/PREFIX"),
            ("etcd://u:p@h/p", "user and password stand beside the log's URL, not in it"),
            ("etcd://h/p?x=1", "the log's URL has no query and no fragment"),
            ("etcd://h/p#x", "the log's URL has no query and no fragment"),
            ("etcd://h1,,h2/p", "\"\" of the log's URL is no HOST or HOST:PORT"),
            ("etcd://h:0/p", "\"h:0\" of the log's URL is no HOST or HOST:PORT"),
            ("etcd://h:65536/p", "\"h:65536\" of the log's URL is no HOST or HOST:PORT"),
            ("etcd://h:+1/p", "\"h:+1\" of the log's URL is no HOST or HOST:PORT"),
            ("etcd://h:/p", "\"h:\" of the log's URL is no HOST or HOST:PORT"),
            ("etcd://::1/p", "\"::1\" of the log's URL is no HOST or HOST:PORT"),
            ("etcd://[::1/p", "\"[::1\" of the log's URL is no HOST or HOST:PORT"),
            ("etcd://[h]/p", "\"[h]\" of the log's URL is no HOST or HOST:PORT"),
            ("etcd://h 1/p", "\"h 1\" of the log's URL is no HOST or HOST:PORT"),
            ("etcd://h,h:2379/p", "the log's URL names the node h:2379 twice"),
            ("etcd://h", "the log's URL names no prefix of its keys: etcd://h/PREFIX"),
            ("etcds://h/", "the log's URL names no prefix of its keys: etcds://h/PREFIX"),
            (
                "etcd://h/a//b",
                "the prefix \"a//b\" of the log's URL is not 1 to 200 letters, digits, \"-\", "
                    + "\"_\", \".\" and single \"/\" between them"
            ),
            (
                "etcd://h/a b/",
                "the prefix \"a b/\" of the log's URL is not 1 to 200 letters, digits, \"-\", "
                    + "\"_\", \".\" and single \"/\" between them"
            ),
        ])
    func bad(text: String, sentence: String) {
        let fault = #expect(throws: LogAddressFault.self) { try EtcdAddress(text) }
        #expect(fault?.description == sentence)
    }

    @Test("Names have bounds")
    func bounds() {
        let long = String(repeating: "p", count: 201)
        #expect(throws: LogAddressFault.self) { try EtcdAddress("etcd://h/\(long)") }
        #expect(throws: Never.self) { try EtcdAddress("etcd://h/\(long.dropLast())") }
        let many = (0..<17).map { "h\($0)" }.joined(separator: ",")
        let fault = #expect(throws: LogAddressFault.self) { try EtcdAddress("etcd://\(many)/p") }
        #expect(fault?.description == "the log's URL names 17 nodes, at most 16")
    }
}
