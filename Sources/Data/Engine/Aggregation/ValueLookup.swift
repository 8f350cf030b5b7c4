import FreshetJSON
import FreshetQuery

/// Finds the value at one path in row after row, without allocating or counting references.
///
/// A trivial value: whoever keeps one keeps the `PathNames` that made it.
struct ValueLookup {
    fileprivate let names: UnsafeBufferPointer<UnsafeRawBufferPointer>
    /// Whether this is the identifier, which counts and compares as such.
    let isID: Bool

    /// The value at the path; nil where it is absent.
    @inline(__always)
    func value(in document: Document) -> JSONView? {
        guard var view = document.member(named: names[0]) else { return nil }
        for index in 1..<names.count {
            guard let next = FilterEvaluator.member(names[index], of: view) else { return nil }
            view = next
        }
        return view
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
