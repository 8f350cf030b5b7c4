import Testing

@testable import Freshet

@Suite("What waits for a handler of changes")
struct ChangeQueueTests {
    /// What is told next: a number, or how many were missed as a negative one.
    private func next(_ queue: inout ChangeQueue<Int>) -> Int? {
        switch queue.dequeue() {
        case .element(let number): number
        case .missed(let count): -count
        case nil: nil
        }
    }

    @Test("It is told in order, and what is beyond the bound is counted where it is missing")
    func missed() {
        var queue = ChangeQueue<Int>(capacity: 3)
        for number in 1...5 { queue.append(number) }
        #expect(queue.count == 3)
        #expect(next(&queue) == 1)
        // There is a place, and what was missed comes first.
        queue.append(6)
        #expect([next(&queue), next(&queue), next(&queue), next(&queue)] == [2, 3, -3, nil])
        queue.append(7)
        #expect(next(&queue) == 7)
        #expect(queue.isEmpty)
    }

    @Test("A queue that is never empty holds no more than waits, and a thousand places")
    func compacts() {
        var queue = ChangeQueue<Int>(capacity: 10_000)
        queue.append(0)
        var (isInOrder, mostPlaces) = (true, 0)
        for number in 1...100_000 {
            queue.append(number)
            isInOrder = next(&queue) == number - 1 && isInOrder
            mostPlaces = max(mostPlaces, queue.places)
        }
        #expect(isInOrder && queue.count == 1)
        #expect(mostPlaces < 2_000)
    }

    @Test("At the end nothing is told any more, of what was missed neither")
    func end() {
        var queue = ChangeQueue<Int>(capacity: 1)
        for number in 1...3 { queue.append(number) }
        queue.removeAll()
        #expect(queue.isEmpty)
        #expect(next(&queue) == nil)
    }
}
