/// A small random generator that a seed repeats.
package struct SplitMix {
    private var state: UInt64

    /// Seeds that are neighbours begin far from each other: they would be one sequence otherwise, a
    /// number apart.
    package init(seed: UInt64) { state = Self.mixed(Self.mixed(seed &+ 0x9E37_79B9_7F4A_7C15)) }

    /// From 0 to below `bound`.
    package mutating func next(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Int(Self.mixed(state) % UInt64(bound))
    }

    private static func mixed(_ state: UInt64) -> UInt64 {
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
