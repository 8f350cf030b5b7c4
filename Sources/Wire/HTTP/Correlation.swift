/// Headers that tie an answer and log lines to a request: taken over only where they are sane, since
/// they are repeated in answers and logs.
package enum Correlation {
    /// 1...128 characters of `A–Z a–z 0–9 . _ : + / = -`.
    package static func isSaneRequestID(_ value: UnsafeRawBufferPointer) -> Bool {
        guard (1...128).contains(value.count) else { return false }
        for byte in value {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: ":"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="),
                UInt8(ascii: "-"):
                continue
            default:
                return false
            }
        }
        return true
    }

    /// `00-<32 hex>-<16 hex>-<2 hex>` in lower case, neither id all zeros, version not `ff`
    /// (W3C Trace Context 3.2). A version above 00 may have more behind another dash.
    package static func isTraceparent(_ value: UnsafeRawBufferPointer) -> Bool {
        guard value.count >= 55 else { return false }
        let isVersion00 = value[0] == UInt8(ascii: "0") && value[1] == UInt8(ascii: "0")
        if isVersion00, value.count != 55 { return false }
        if value.count > 55, value.count > 256 || value[55] != UInt8(ascii: "-") { return false }
        for index in 0..<55 {
            if index == 2 || index == 35 || index == 52 {
                guard value[index] == UInt8(ascii: "-") else { return false }
            } else {
                switch value[index] {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"):
                    continue
                default:
                    return false
                }
            }
        }
        let zero = UInt8(ascii: "0")
        return !value.part(0..<2).equals("ff") && value.part(3..<35).contains { $0 != zero }
            && value.part(36..<52).contains { $0 != zero }
            && value.part(55..<value.count).allSatisfy { $0 > Ascii.space && $0 < 0x7f }
    }
}
