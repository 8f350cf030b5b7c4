@testable import FreshetHTTPClient
import Testing

@Suite("Classes of addresses")
struct HTTPAddressClassTests {
    @Test("IPv4: the ends of each range and their neighbours")
    func version4() {
        for (octets, expected): ((UInt8, UInt8, UInt8, UInt8), HTTPAddressClass) in [
            ((169, 254, 0, 0), .linkLocal), ((169, 254, 255, 255), .linkLocal),
            ((169, 253, 255, 255), []), ((169, 255, 0, 0), []),
            ((10, 0, 0, 0), .privateUse), ((11, 0, 0, 0), []), ((9, 255, 255, 255), []),
            ((127, 0, 0, 1), .privateUse), ((128, 0, 0, 1), []), ((0, 0, 0, 0), .privateUse),
            ((172, 15, 255, 255), []), ((172, 16, 0, 0), .privateUse),
            ((172, 31, 255, 255), .privateUse), ((172, 32, 0, 0), []),
            ((192, 168, 0, 1), .privateUse), ((192, 167, 0, 1), []), ((192, 169, 0, 1), []),
            ((100, 64, 0, 1), .privateUse), ((100, 127, 0, 1), .privateUse),
            ((100, 128, 0, 1), []), ((8, 8, 8, 8), []),
        ] {
            #expect(HTTPAddressClass.of(octets) == expected, "\(octets)")
            let (a, b, c, d) = octets
            let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, a, b, c, d]
            #expect(HTTPAddressClass.of(mapped) == expected, "mapped \(octets)")
            #expect(HTTPAddressClass.of(text: "\(a).\(b).\(c).\(d)") == expected, "\(octets)")
            #expect(
                HTTPAddressClass.of(text: "::ffff:\(a).\(b).\(c).\(d)") == expected, "\(octets)")
        }
    }

    @Test("IPv6 that leads to an IPv4 address: translated, NAT64, 6to4, Teredo, ISATAP")
    func tunnels() {
        let linkLocal = HTTPAddressClass.linkLocal
        let privateUse = HTTPAddressClass.privateUse
        let cases: [(String, HTTPAddressClass)] = [
            ("::ffff:0:10.0.0.1", privateUse), ("::ffff:0:8.8.8.8", []),
            ("64:ff9b::169.254.169.254", linkLocal), ("64:ff9b::8.8.8.8", []),
            ("64:ff9b:1::8.8.8.8", privateUse),
            ("64:ff9b:1::169.254.169.254", [linkLocal, privateUse]),
            // 169.254.169.254 behind 48 bits.
            ("64:ff9b:1:a9fe:a9:fe00::", [linkLocal, privateUse]),
            ("2002:a9fe:a9fe::1", linkLocal), ("2002:a00:1::1", privateUse),
            ("2002:7f00:1::", privateUse), ("2002:808:808::1", []),
            // The inverse of 10.0.0.1, 169.254.169.254 and 8.8.8.8.
            ("2001:0:808:808:0:0:f5ff:fffe", privateUse),
            ("2001:0:808:808:0:0:5601:5601", linkLocal),
            ("2001:0:808:808:0:0:f7f7:f7f7", []),
            ("2001:db8::5efe:10.0.0.1", privateUse), ("2001:db8::200:5efe:10.0.0.1", privateUse),
            ("2001:db8::5efe:8.8.8.8", []), ("2001:db8::", []),
            ("fe80::5efe:10.0.0.1", [linkLocal, privateUse]),
            ("/run/a.sock", []), ("", []),
        ]
        for (text, expected) in cases {
            #expect(HTTPAddressClass.of(text: text) == expected, "\(text)")
        }
    }

    @Test("IPv6: loopback, unspecified, link-local, unique local, site-local, NAT64, global")
    func version6() {
        func address(_ start: [UInt8], _ end: [UInt8] = []) -> [UInt8] {
            start + [UInt8](repeating: 0, count: 16 - start.count - end.count) + end
        }
        let none: HTTPAddressClass = []
        let cases: [([UInt8], HTTPAddressClass)] = [
            (address([]), .privateUse), (address([], [1]), .privateUse),
            (address([0xFE, 0x80]), .linkLocal), (address([0xFE, 0xBF]), .linkLocal),
            (address([0xFE, 0xC0]), .privateUse), (address([0xFC]), .privateUse),
            (address([0xFD, 1]), .privateUse), (address([0xFE, 0x7F]), none),
            (address([0x20, 0x01, 0x0D, 0xB8], [1]), none),
            (address([0, 0x64, 0xFF, 0x9B], [10, 0, 0, 1]), .privateUse),
            (address([0, 0x64, 0xFF, 0x9B], [8, 8, 8, 8]), none),
        ]
        for (bytes, expected) in cases {
            #expect(HTTPAddressClass.of(bytes) == expected, "\(bytes)")
        }
    }
}
