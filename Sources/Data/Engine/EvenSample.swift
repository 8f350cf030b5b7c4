package import FreshetQuery

extension Range<Int> {
    /// At most `most` of the numbers, spread evenly, the first among them.
    package func spread(_ most: Int) -> [Int] {
        let taken = Swift.min(Swift.max(0, most), count)
        return (0..<taken).map { lowerBound + $0 * count / taken }
    }
}

extension TableView {
    /// At most `most` of the documents, spread evenly over their order. O(leaves + most).
    package func sample(_ most: Int) -> [Document] {
        var cursor = makeCursor()
        var position = 0
        return (0..<count).spread(most).compactMap { place in
            cursor.skip(place - position)
            position = place + 1
            return cursor.next()
        }
    }
}
