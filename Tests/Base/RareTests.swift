import FreshetBase
import Testing

@Suite struct RareTests {
    private struct Holder {
        @Rare var numbers: [Int]? = nil
    }

    @Test func whatIsNotThereTakesAWord() {
        #expect(MemoryLayout<Rare<(Int, Int, Int)>>.size == MemoryLayout<Int>.size)
    }

    @Test func aCopyKeepsItsValue() {
        var first = Holder()
        #expect(first.numbers == nil)
        first.numbers = [1]
        let copy = first
        first.numbers?.append(2)
        #expect(first.numbers == [1, 2])
        #expect(copy.numbers == [1])
        first.numbers = nil
        #expect(first.numbers == nil)
        #expect(copy.numbers == [1])
    }

    @Test func aValueThatNobodyElseHoldsIsChangedInPlace() {
        var holder = Holder(numbers: Array(0..<1_000))
        holder.numbers?.reserveCapacity(2_000)
        let place = holder.numbers?.withUnsafeBufferPointer { $0.baseAddress }
        holder.numbers?.append(7)
        #expect(holder.numbers?.withUnsafeBufferPointer { $0.baseAddress } == place)
    }
}
