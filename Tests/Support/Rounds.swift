/// The rounds of a test whose world is made of a seed, numbered from 0: at least `least`, and more
/// until `isEnough`, at most twenty times as many.
///
/// What a seed brings about only by luck is counted over as many rounds as it takes: an expectation
/// about a fixed number of rounds fails now and then.
package struct Rounds: Sequence, IteratorProtocol {
    private let least: Int
    private let isEnough: () -> Bool
    private var round = 0

    package init(_ least: Int, until isEnough: @escaping () -> Bool) {
        precondition(least > 0, "a test has a round")
        self.least = least
        self.isEnough = isEnough
    }

    package mutating func next() -> Int? {
        guard round < least || round < least * 20 && !isEnough() else { return nil }
        defer { round += 1 }
        return round
    }
}
