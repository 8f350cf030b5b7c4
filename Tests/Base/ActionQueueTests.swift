import FreshetBase
import Testing

@Suite("Actions behind a step")
struct ActionQueueTests {
    /// Takes all that waits.
    private func drained(_ queue: inout ActionQueue<Int>) -> [Int] {
        var taken: [Int] = []
        while let action = queue.next() { taken.append(action) }
        return taken
    }

    @Test("One claims, and carries out what comes meanwhile, too, in the order in which it came")
    func order() {
        var queue = ActionQueue<Int>()
        var claims = [queue.claim()]
        for number in 1...3 { queue.append(number) }
        claims += [queue.claim(), queue.claim()]
        let first = queue.next()
        queue.append(4)
        claims.append(queue.claim())
        let rest = drained(&queue)
        #expect(first == 1 && rest == [2, 3, 4])
        queue.append(5)
        claims.append(queue.claim())
        let last = drained(&queue)
        #expect(last == [5])
        // Nothing waits; the first to claim; somebody is at it, twice; the claim was given back.
        #expect(claims == [false, true, false, false, true])
    }

    @Test("What is dropped is carried out by nobody")
    func dropped() {
        var queue = ActionQueue<Int>()
        queue.append(1)
        queue.append(2)
        let isMine = queue.claim()
        let first = queue.next()
        queue.append(3)
        queue.removeAll()
        let rest = drained(&queue)
        let claimsAgain = queue.claim()
        #expect(isMine && first == 1 && rest == [] && !claimsAgain)
    }

    @Test("A burst keeps its order")
    func burst() {
        var queue = ActionQueue<Int>()
        for number in 0..<5_000 { queue.append(number) }
        let isMine = queue.claim()
        let all = drained(&queue)
        #expect(isMine && all == Array(0..<5_000))
    }
}
