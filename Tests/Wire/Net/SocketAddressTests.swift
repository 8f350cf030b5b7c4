import FreshetNet
import Testing

struct SocketAddressTests {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1:80", true), ("127.9.8.7", "127.9.8.7:80", true),
        ("10.0.0.1", "10.0.0.1:80", false), ("::1", "[::1]:80", true),
        ("[::1]", "[::1]:80", true), ("fe80::2", "[fe80::2]:80", false),
        ("::ffff:127.0.0.1", "127.0.0.1:80", true), ("0.0.0.0", "0.0.0.0:80", false),
    ])
    func `An address is read, written and known as loopback or not`(
        host: String, text: String, isLoopback: Bool
    ) throws {
        let address = try SocketAddress(host: host, port: 80)
        #expect(address.description == text)
        #expect(address.isLoopback == isLoopback)
        #expect(address.with(port: 81).port == 81)
    }

    @Test(arguments: ["", "no host", "300.1.1.1.1", "[::1"])
    func `What is no address is a resolution error`(host: String) {
        #expect(throws: NetError.resolution(host: host)) {
            try SocketAddress(host: host, port: 80)
        }
    }

    @Test func `Clients of one IPv6 network count as one`() throws {
        let one = try SocketAddress(host: "2001:db8::1", port: 1)
        let other = try SocketAddress(host: "2001:db8::2", port: 2)
        let far = try SocketAddress(host: "2001:db8:0:1::1", port: 1)
        #expect(one.clientKey == other.clientKey)
        #expect(one.clientKey != far.clientKey)
    }
}
