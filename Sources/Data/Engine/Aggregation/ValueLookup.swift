import FreshetJSON
import FreshetQuery

/// Finds the value at one path in row after row.
struct ValueLookup {
    private let finder: MemberFinder
    /// Whether this is the identifier, which counts and compares as such.
    let isID: Bool

    init(_ path: PropertyPath) {
        finder = MemberFinder(path)
        isID = path.isID
    }

    /// The values of the rows of a run.
    ///
    /// - Parameter values: As many places as there are rows.
    /// - Returns: The bytes of the values, a measure of the time it took.
    func values(
        in run: UnsafeBufferPointer<Document>, into values: UnsafeMutableBufferPointer<JSONView?>
    ) -> Int {
        withUnsafeTemporaryAllocation(of: JSONView.self, capacity: run.count) { found in
            guard let first = found.baseAddress else { return 0 }
            finder.values(in: run, into: first)
            var size = 0
            for row in run.indices {
                let value = first[row]
                size &+= value.bytes.count
                values.initializeElement(at: row, to: value.bytes.isEmpty ? nil : value)
            }
            return size
        }
    }

    /// The value at the path; nil where it is absent.
    func value(in document: Document) -> JSONView? {
        let value = finder.value(in: document)
        return value.bytes.isEmpty ? nil : value
    }
}
