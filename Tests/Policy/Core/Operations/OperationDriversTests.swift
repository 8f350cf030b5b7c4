import Testing

@testable import FreshetCore

@Suite("Who drives an operation of the program's")
struct OperationDriversTests {
    /// Whether one has come, and has declared what it drives.
    private func comes(_ drivers: inout OperationDrivers, _ id: String) -> Bool {
        guard drivers.enter(id) == nil else { return false }
        return drivers.settle(id) != nil
    }

    @Test("The last one to leave is told so, each operation's own")
    func last() {
        var drivers = OperationDrivers()
        let came = ["a", "a", "b"].map { comes(&drivers, $0) }
        #expect(came == [true, true, true])
        let areLast = ["a", "b", "a"].map { drivers.leave($0) }
        #expect(areLast == [false, true, true])
        for id in ["a", "b"] { _ = drivers.settle(id) }
        let comesAgain = comes(&drivers, "a")
        let isLast = drivers.leave("a")
        #expect(comesAgain && isLast)
    }

    @Test("Of two that come at once one waits until the other has declared the operation")
    func turns() {
        var drivers = OperationDrivers()
        let first = drivers.enter("a")
        let second = drivers.enter("a")
        // Another operation is nobody's business.
        let other = drivers.enter("b")
        #expect(first == nil && second != nil && other == nil)
        let told = drivers.settle("a")
        #expect(told === second)
        let came = comes(&drivers, "a")
        #expect(came)
    }

    @Test("Who comes while the last one leaves comes behind the end of that")
    func behind() {
        var drivers = OperationDrivers()
        let came = comes(&drivers, "a")
        let isLast = drivers.leave("a")
        #expect(came && isLast)
        let awaited = drivers.enter("a")
        #expect(awaited != nil)
        let told = drivers.settle("a")
        #expect(told === awaited)
        let comesBehind = comes(&drivers, "a")
        #expect(comesBehind)
    }
}
