extension Duration {
    /// `10s`, `1500ms`, `30m`: the largest unit that divides the milliseconds.
    package var shortText: String {
        let milliseconds = self / .milliseconds(1)
        guard abs(milliseconds) < 1e15 else { return "\(nanoseconds / 1_000_000_000)s" }
        let whole = Int(milliseconds)
        for (unit, factor) in [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000)]
        where whole >= factor && whole % factor == 0 {
            return "\(whole / factor)\(unit)"
        }
        return "\(whole)ms"
    }
}
