import Testing

@testable import FreshetServer

/// The event stream of a session that another server keeps, on its way to the client.
@Suite struct RelayedTextTests {
    private func add(_ text: String, to relayed: inout RelayedText) {
        Array(text.utf8).withUnsafeBytes { relayed.add($0) }
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func anEventIsSentOnceItIsWhole() {
        var relayed = RelayedText()
        let events = "event: a\ndata: 1\n\n:\n\n"
        var sent = ""
        for byte in events {
            add(String(byte), to: &relayed)
            sent += text(relayed.next())
            #expect(sent.isEmpty || sent.hasSuffix("\n\n"))
            #expect(!relayed.isWithinEvent)
        }
        #expect(sent == events && relayed.count == 0)
    }

    @Test func thePartOfAnEventIsDroppedAtTheEnd() {
        var relayed = RelayedText()
        add("data: 1\n\ndata: 2\n", to: &relayed)
        #expect(text(relayed.next()) == "data: 1\n\n")
        #expect(relayed.next().isEmpty)
        #expect(relayed.last().isEmpty && !relayed.isWithinEvent && relayed.count == 0)
    }

    /// What is too large is sent in pieces, none of which hides the end; at the end of the stream the
    /// rest of it is waited for, and what comes behind is dropped.
    @Test(arguments: [0, 1, 2, 3])
    func aLargeEventIsSentInPiecesAndEndsWhole(offset: Int) {
        let data = String(repeating: "x", count: RelayedText.piece * 2 - 8 + offset)
        let event = "data: \(data)\n\n"
        var relayed = RelayedText()
        var sent = ""
        for part in [event.prefix(RelayedText.piece), event.dropFirst(RelayedText.piece)] {
            add(String(part), to: &relayed)
            while case let piece = relayed.next(), !piece.isEmpty { sent += text(piece) }
        }
        #expect(sent == event && !relayed.isWithinEvent)

        relayed = RelayedText()
        add(String(event.prefix(RelayedText.piece)), to: &relayed)
        sent = text(relayed.next()) + text(relayed.last())
        #expect(relayed.isWithinEvent)
        for character in event.dropFirst(sent.count) {
            #expect(relayed.isWithinEvent)
            add(String(character), to: &relayed)
            sent += text(relayed.last())
            if !relayed.isWithinEvent { break }
        }
        #expect(sent == event && !relayed.isWithinEvent)
        add("data: 2\n\n", to: &relayed)
        #expect(relayed.last().isEmpty && relayed.count == 0)
    }
}
