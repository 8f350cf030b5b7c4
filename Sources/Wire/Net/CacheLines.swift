import CLinux

/// Fetching ahead: what is read in a few hundred nanoseconds is asked of the memory now.
package enum CacheLines {
    /// Where an object is. To be kept beside a reference to it: following the reference counts it,
    /// in the very line that is not there yet.
    package static func address(of object: AnyObject) -> UnsafeRawPointer {
        UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    }

    /// Asks for lines of memory, 64 bytes each. Reads nothing, so that the memory may be gone.
    package static func fetch(_ start: UnsafeRawPointer, _ count: Int) {
        for line in 0..<count { freshet_prefetch(start + 64 * line) }
    }
}
