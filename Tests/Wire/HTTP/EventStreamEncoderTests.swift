import FreshetBase
import FreshetHTTP
import Testing

@Suite struct EventStreamEncoderTests {
    private func event(_ name: String, id: String, data: String) -> String? {
        var buffer = ByteBuffer(capacity: 16)
        buffer.append("before\n\n")
        let isWritten = withBytes(name) { name in
            withBytes(id) { id in
                let mark = EventStreamEncoder.open(event: name, id: id, into: &buffer)
                buffer.append(text: data)
                return EventStreamEncoder.close(mark, in: &buffer)
            }
        }
        let all = text(buffer.bytes)
        #expect(all.hasPrefix("before\n\n"))
        if !isWritten { #expect(all == "before\n\n") }
        return isWritten ? String(all.dropFirst("before\n\n".count)) : nil
    }

    @Test func anEventIsExactToTheByte() {
        #expect(
            event("snapshot", id: "k3f9.1042", data: "{\"items\":[]}")
                == "event: snapshot\nid: k3f9.1042\ndata: {\"items\":[]}\n\n")
        #expect(event("hello", id: "", data: "{}") == "event: hello\ndata: {}\n\n")
        #expect(event("q.a", id: "", data: "") == "event: q.a\ndata: \n\n")
        var buffer = ByteBuffer()
        withBytes("e.1") { id in
            withBytes("{}") { data in
                #expect(EventStreamEncoder.event("sync", id: id, data: data, into: &buffer))
            }
        }
        #expect(text(buffer.bytes) == "event: sync\nid: e.1\ndata: {}\n\n")
    }

    @Test func dataOfSeveralLinesTakesItsFrameWithIt() {
        for end in ["\n", "\r", "\r\n"] {
            #expect(event("a", id: "b", data: "{}\(end)event: forged") == nil)
            #expect(event("a", id: "b", data: "\(end){}") == nil)
            #expect(event("a", id: "b", data: "{}\(end)") == nil)
        }
    }

    @Test func namesAndIdsWithControlsAreLeftOut() {
        #expect(event("a\nb", id: "c", data: "{}") == "id: c\ndata: {}\n\n")
        #expect(event("a", id: "b\rc", data: "{}") == "event: a\ndata: {}\n\n")
        #expect(event("a", id: "b\u{0}", data: "{}") == "event: a\ndata: {}\n\n")
    }

    @Test func aHeartbeatHasAnIdAndNoData() {
        var buffer = ByteBuffer()
        withBytes("k3f9.7") { EventStreamEncoder.heartbeat(id: $0, into: &buffer) }
        #expect(text(buffer.bytes) == ": hb\nid: k3f9.7\n\n")
        buffer.removeAll()
        EventStreamEncoder.retry(milliseconds: 1_500, into: &buffer)
        #expect(text(buffer.bytes) == "retry: 1500\n")
    }
}
