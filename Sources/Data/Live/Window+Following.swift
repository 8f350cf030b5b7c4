extension Window {
    /// Takes changes in, in order.
    ///
    /// While rows are missing that may exist, what is shown is not known: a client that holds the
    /// answer of a seq in between, from a search, has rows that the trail has never seen. So such a
    /// span is a gap of the trail.
    ///
    /// - Returns: Through which seq the window was known, nil where it still is.
    mutating func follow(_ changes: some Sequence<WindowChange>) -> UInt64? {
        var shortSince: UInt64?
        for change in changes {
            apply(change)
            if isShort {
                if shortSince == nil { shortSince = change.seq }
            } else if let since = shortSince {
                trail.add(gap: since - 1..<change.seq)
                shortSince = nil
            }
        }
        return shortSince.map { $0 - 1 }
    }
}
