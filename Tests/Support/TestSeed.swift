import Glibc

/// What tests that make their worlds at random begin with.
package enum TestSeed {
    /// What `FRESHET_SEED` says, so that a test which has failed can be repeated; else a random one.
    package static var first: UInt64 {
        number("FRESHET_SEED") ?? UInt64.random(in: 0...UInt64.max / 2)
    }

    /// The number in a variable of the environment.
    package static func number(_ name: String) -> UInt64? {
        getenv(name).flatMap { UInt64(String(cString: $0)) }
    }
}
