import FreshetQuery
import FreshetTestSupport
import Testing

@testable import FreshetEngine

@Suite struct EvenSampleTests {
    @Test func placesAreSpreadEvenlyFromTheFirstOn() {
        #expect((0..<10).spread(3) == [0, 3, 6])
        #expect((5..<8).spread(10) == [5, 6, 7])
        #expect((0..<0).spread(3) == [] && (0..<3).spread(0) == [])
        for count in [1, 2, 999, 1_000, 12_345] {
            let places = (0..<count).spread(1_000)
            #expect(places.count == min(count, 1_000) && places.first == 0)
            let steps = zip(places, places.dropFirst()).map { $1 - $0 }
            #expect((steps.max() ?? 1) - (steps.min() ?? 1) <= 1)
        }
    }

    @Test(arguments: [0, 1, 63, 64, 65, 5_000])
    func aSampleOfATableIsWhatACursorFindsAtThesePlaces(count: Int) throws {
        var table = Table()
        for id in 0..<count { _ = table.insert(try document("{\"id\":\(id)}")) }
        let view = table.view(seq: 1)
        for most in [1, 2, 7, 64, 100, 10_000] {
            #expect(ids(view.sample(most)) == (0..<count).spread(most).map { "\($0)" })
        }
    }
}
