import Dispatch
import FreshetBase
import FreshetRefresh
import Testing

@Suite struct PromiseTests {
    /// A value of the heap, which the thread sanitizer watches.
    private final class Box: Sendable {
        let number: Int

        init(_ number: Int) { self.number = number }
    }

    @Test func theFirstValueCounts() async {
        let promise = Promise<Int>()
        #expect(!promise.isFulfilled)
        #expect(promise.fulfil(1))
        #expect(!promise.fulfil(2))
        #expect(promise.isFulfilled)
        #expect(await promise.value() == 1)
        #expect(promise.isFulfilled)
    }

    @Test func aValueMayBeThereFromTheBeginning() async {
        #expect(await Promise(7).value() == 7)
    }

    /// The giver is at times before the waiter, at times behind it, and mostly between its steps.
    @Test func whatAnotherThreadGivesArrivesWhole() async {
        for number in 0..<5_000 {
            let box = await Promise<Box>.value { fulfil in
                DispatchQueue.global().async { fulfil(Box(number)) }
            }
            #expect(box.number == number)
        }
    }

    @Test func ofManyGiversOneIsHeard() async {
        let promise = Promise<Box>()
        let first = Counted()
        DispatchQueue.global().async {
            DispatchQueue.concurrentPerform(iterations: 64) { number in
                if promise.fulfil(Box(number)) { first.add(number) }
            }
            first.end.fulfil(())
        }
        let box = await promise.value()
        await first.end.value()
        #expect(first.numbers == [box.number])
    }

    @Test func aTakenValueIsHeldNoLonger() async {
        let promise = Promise<Box>()
        weak var held: Box?
        do {
            let box = Box(1)
            held = box
            promise.fulfil(box)
        }
        #expect(held != nil)
        _ = await promise.value()
        #expect(held == nil)
    }

    // SAFETY: `numbers` is read and written under `lock`.
    private final class Counted: @unchecked Sendable {
        let end = Promise<Void>()
        private let lock = Lock()
        private var all: [Int] = []

        var numbers: [Int] { lock.withLock { all } }

        func add(_ number: Int) { lock.withLock { all.append(number) } }
    }
}
