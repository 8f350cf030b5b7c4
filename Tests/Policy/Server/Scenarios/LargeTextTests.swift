import FreshetBase
import Testing

@testable import FreshetServer

@Suite("Text that is written in pieces")
struct LargeTextTests {
    @Test("The pieces are the text as it is written at once", arguments: [1, 2, 7, 64, 1_000_000])
    func pieces(_ most: Int) {
        func write(_ body: inout ByteBuffer, _ share: LiveEventEncoder.Share) {
            body.append("head ")
            share(Array(repeating: UInt8(ascii: "a"), count: 100), &body)
            share([], &body)
            share(Array(repeating: UInt8(ascii: "b"), count: 10), &body)
            body.append(" between ")
            share(Array(repeating: UInt8(ascii: "c"), count: 33), &body)
        }
        var whole = ByteBuffer(capacity: 256)
        write(&whole) { $1.append($0) }
        var text = LargeText(write)
        var body = ByteBuffer(capacity: 256)
        var start = 0
        while !text.write(atMost: most, into: &body) {
            #expect(body.count - start == most)
            start = body.count
        }
        #expect([UInt8](body.bytes) == [UInt8](whole.bytes))
        // What is over is over.
        #expect(text.write(atMost: most, into: &body))
        #expect(body.count == whole.count)
        let bytes = [UInt8](whole.bytes)
        var shared = LargeText(bytes)
        var copy = ByteBuffer(capacity: 256)
        while !shared.write(atMost: most, into: &copy) {}
        #expect([UInt8](copy.bytes) == bytes)
    }
}
