import Glibc

/// Libraries that are opened at run time.
package enum SharedLibrary {
    /// Opens the first of `names` that there is, for as long as the process runs.
    ///
    /// - Parameter missing: Makes the error of the reasons why none of them could be opened.
    package static func open<Missing>(
        _ names: [String], orThrow missing: (_ reasons: String) -> Missing
    ) throws(Missing) -> UnsafeMutableRawPointer {
        var reasons: [String] = []
        for name in names {
            if let handle = dlopen(name, RTLD_NOW | RTLD_LOCAL) { return handle }
            reasons.append(dlerror().map { String(cString: $0) } ?? name)
        }
        throw missing(reasons.joined(separator: "; "))
    }
}
