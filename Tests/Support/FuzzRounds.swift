import Glibc

/// The rounds of a fuzzer, numbered from 0: at least `least`, and as many more as begin within
/// `FRESHET_FUZZ_SECONDS`, where that is set.
package struct FuzzRounds: Sequence, IteratorProtocol {
    private let least: Int
    private let end: ContinuousClock.Instant?
    private var round = 0

    package init(_ least: Int) {
        self.least = least
        end = Self.seconds.map { .now.advanced(by: .seconds($0)) }
    }

    /// How long each fuzzer runs; nil: as long as its least rounds take.
    package static let seconds = getenv("FRESHET_FUZZ_SECONDS").flatMap {
        Int(String(cString: $0))
    }

    package mutating func next() -> Int? {
        guard round < least || end.map({ $0 > .now }) ?? false else { return nil }
        defer { round += 1 }
        return round
    }
}
