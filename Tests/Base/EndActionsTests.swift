import FreshetBase
import Testing

@Suite("What is called at an end")
struct EndActionsTests {
    @Test("It is called once, in its order, and at once where it comes late")
    func order() {
        let called = Shared<[Int]>([])
        let ends = EndActions()
        for number in 1...3 { ends.add { called.update { $0.append(number) } } }
        #expect(called.value == [])
        ends.run()
        ends.run()
        #expect(called.value == [1, 2, 3])
        ends.add { called.update { $0.append(4) } }
        #expect(called.value == [1, 2, 3, 4])
    }
}
