import FreshetJSON
import FreshetQuery

/// Finds the value at one path in row after row, without allocating or counting references.
///
/// A trivial value: whoever keeps one keeps the `PathNames` that made it.
struct ValueLookup {
    fileprivate let names: UnsafeBufferPointer<UnsafeRawBufferPointer>
    /// Whether this is the identifier, which counts and compares as such.
    let isID: Bool
}

extension ValueLookup {
    /// The values of the rows of a run.
    ///
    /// - Parameter values: As many places as there are rows.
    /// - Returns: The bytes of the members that were looked into, a measure of the time it took.
    func values(
        in run: UnsafeBufferPointer<Document>, into values: UnsafeMutableBufferPointer<JSONView?>
    ) -> Int {
        var size = 0
        for row in run.indices {
            let member = run[row].member(named: names[0])
            size &+= member?.bytes.count ?? 0
            values.initializeElement(at: row, to: names.count == 1 ? member : inner(of: member))
        }
        return size
    }

    /// The value at the rest of the path.
    private func inner(of member: JSONView?) -> JSONView? {
        guard var view = member else { return nil }
        for index in 1..<names.count {
            guard let next = FilterEvaluator.member(names[index], of: view) else { return nil }
            view = next
        }
        return view
    }

    /// The value at the path; nil where it is absent.
    func value(in document: Document) -> JSONView? {
        inner(of: document.member(named: names[0]))
    }
}

/// The names of paths as bytes at a fixed place, freed with it.
final class PathNames {
    private var bytes: [UnsafeMutableRawBufferPointer] = []
    private var paths: [UnsafeMutableBufferPointer<UnsafeRawBufferPointer>] = []

    /// A look-up that is valid as long as this is kept.
    func lookup(_ path: PropertyPath) -> ValueLookup {
        let names = UnsafeMutableBufferPointer<UnsafeRawBufferPointer>.allocate(
            capacity: path.count)
        for (index, name) in path.names.enumerated() {
            let copy = UnsafeMutableRawBufferPointer.allocate(
                byteCount: name.bytes.count, alignment: 1)
            copy.copyBytes(from: name.bytes)
            bytes.append(copy)
            names.initializeElement(at: index, to: UnsafeRawBufferPointer(copy))
        }
        paths.append(names)
        return ValueLookup(names: UnsafeBufferPointer(names), isID: path.isID)
    }

    deinit {
        for path in paths { path.deallocate() }
        for name in bytes { name.deallocate() }
    }
}
