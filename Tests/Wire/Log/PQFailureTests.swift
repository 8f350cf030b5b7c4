import FreshetBase
import Testing

@testable import FreshetLogDrivers

@Suite("What a failure of PostgreSQL means for a log")
struct PQFailureTests {
    @Test("A disk that is full is told apart from all else that is refused")
    func kinds() {
        #expect(PQFailure(.refused("53100"), "no space left").trouble == .full("no space left"))
        #expect(PQFailure(.refused("42501"), "denied").trouble == .refused("denied"))
        #expect(PQFailure(.unfit, "async").trouble == .refused("async"))
        #expect(PQFailure(.open, "gone").trouble == .unknown("gone"))
        #expect(PQFailure(.away, "none").trouble == .away("none"))
    }
}
