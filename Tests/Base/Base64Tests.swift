import FreshetBase
import Testing

@Suite struct Base64Tests {
    private func encoded(_ bytes: [UInt8]) -> String {
        var buffer = ByteBuffer()
        buffer.append(base64: bytes)
        return String(decoding: buffer.bytes, as: UTF8.self)
    }

    private func decoded(_ text: String) -> [UInt8]? {
        Array(text.utf8).withUnsafeBytes { Base64.decode($0) }
    }

    /// RFC 4648, section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
        ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ])
    func theExamplesOfTheStandard(plain: String, text: String) {
        #expect(encoded(Array(plain.utf8)) == text)
        #expect(decoded(text) == Array(plain.utf8))
    }

    @Test func whatIsEncodedIsDecoded() {
        for count in 0..<300 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ count) }
            let text = encoded(bytes)
            #expect(text.utf8.count == Base64.length(of: count))
            #expect(decoded(text) == bytes)
        }
        #expect(encoded([0xFB, 0xFF, 0xFE]) == "+//+")
    }

    @Test(arguments: [
        "Z", "Zg", "Zg=", "Zg===", "=", "====", "Z===", "Zm9v=", "Zh==", "Zm9=", "Zm9v\n", "Zm-v",
        "Zm_v", "Z=9v", "Zg==Zg==", "Zm 9v", "Zmäv",
    ])
    func whatIsNoneIsRefused(text: String) {
        #expect(decoded(text) == nil)
    }

    @Test func aBadCharacterIsFoundWherever() {
        let text = Array(encoded([UInt8](repeating: 0x5A, count: 47)).utf8)
        for place in 0..<(text.count - 1) {
            for bad in [UInt8(0), 0x2D, 0x3D, 0x5F, 0x80, 0xFF] {
                var wrong = text
                wrong[place] = bad
                #expect(wrong.withUnsafeBytes { Base64.decode($0) } == nil)
            }
        }
    }
}
