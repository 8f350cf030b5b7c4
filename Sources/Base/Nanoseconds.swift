// Times as nanoseconds in 64 bits: 292 years to both sides, saturated beyond.

extension Int64 {
    /// The largest or smallest number in place of an overflow.
    @inlinable package func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        guard overflow else { return sum }
        return other > 0 ? .max : .min
    }

    /// The largest or smallest number in place of an overflow.
    @inlinable package func subtractingSaturated(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        guard overflow else { return difference }
        return other > 0 ? .min : .max
    }

    /// The quotient rounded towards negative infinity; `divisor` is positive.
    @inlinable package func floorDivided(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

extension Duration {
    /// What 64 bits of nanoseconds hold: beyond, a span is as good as endless.
    private static let longest = Duration.nanoseconds(Int64.max)

    /// The span, or the longest that is told apart from endless: what a program gives may be any.
    package var saturated: Duration { min(max(self, .zero - Self.longest), Self.longest) }

    /// The sum of both spans as they are saturated, which ends no program.
    package func addingSaturated(_ other: Duration) -> Duration { saturated + other.saturated }

    /// The difference of both spans as they are saturated.
    package func subtractingSaturated(_ other: Duration) -> Duration {
        saturated - other.saturated
    }

    /// The largest or smallest number in place of an overflow.
    package var nanoseconds: Int64 {
        // `components` ends the program where the seconds are beyond 64 bits.
        let (seconds, attoseconds) = saturated.components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds > 0 ? .max : .min }
        return product.addingSaturated(attoseconds / 1_000_000_000)
    }

    /// The milliseconds, rounded towards zero.
    package var wholeMilliseconds: Int { Int(nanoseconds / 1_000_000) }
}
