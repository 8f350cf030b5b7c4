import Testing

@testable import FreshetServer

@Suite("What slow readers keep")
struct PinnedSnapshotsTests {
    private final class Object: Sendable {}

    private static let third = PinnedSnapshots.mostBytes / 3 + 1

    private func pin(_ object: Object, isCurrent: Bool = false) -> PinnedSnapshots.Pin {
        .init(object: object, bytes: Self.third, isCurrent: { isCurrent })
    }

    @Test("Who has sent longest what nobody else holds makes room")
    func surplus() {
        var pinned = PinnedSnapshots(largest: 1)
        #expect(pinned.surplus(adding: pin(Object()), by: 1) == [])
        #expect(pinned.surplus(adding: pin(Object()), by: 2) == [])
        #expect(pinned.surplus(adding: pin(Object()), by: 3) == [1])
        // Until it has gone, it is asked to go with each.
        #expect(pinned.surplus(adding: pin(Object()), by: 4) == [1, 2])
        pinned.removeAll(by: 1)
        pinned.removeAll(by: 2)
        #expect(pinned.surplus(adding: pin(Object()), by: 5) == [3])
    }

    @Test("What many send is counted once, and what a group shows is not")
    func shared() {
        var pinned = PinnedSnapshots(largest: 1)
        let (one, current) = (Object(), Object())
        for stream in 1...100 { #expect(pinned.surplus(adding: pin(one), by: stream) == []) }
        for stream in 101...103 {
            #expect(pinned.surplus(adding: pin(Object(), isCurrent: true), by: stream) == [])
            pinned.removeAll(by: stream)
        }
        #expect(pinned.surplus(adding: pin(current), by: 201) == [])
        #expect(pinned.surplus(adding: pin(Object()), by: 202) == Array(1...100))
        for stream in 1...100 { pinned.remove(one, by: stream) }
        #expect(pinned.surplus(adding: pin(Object()), by: 203) == [201])
        pinned.remove(current, by: 201)
        // A stream may send several.
        #expect(pinned.surplus(adding: pin(Object()), by: 203) == [202])
        pinned.remove(one, by: 203)
    }

    @Test("What queries still show has a bound, too, where each has its own")
    func current() {
        var pinned = PinnedSnapshots(largest: 1)
        let room = 512 << 20 / Self.third
        for stream in 1...room {
            #expect(pinned.surplus(adding: pin(Object(), isCurrent: true), by: stream) == [])
        }
        #expect(pinned.surplus(adding: pin(Object(), isCurrent: true), by: room + 1) == [1])
    }
}

extension PinnedSnapshots {
    /// The streams that are to end once `pin` is sent, too.
    fileprivate mutating func surplus(adding pin: Pin, by stream: Int) -> [Int] {
        add(pin, by: stream)?.surplus ?? []
    }
}
