import CLinux
import Glibc

/// The system's sentence for an error number.
func errorText(_ number: CInt) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    let status = strerror_r(number, &buffer, buffer.count)
    guard status == 0 else { return "error \(number)" }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}

/// Raises the soft limit of open descriptors to the hard one.
///
/// - Returns: How many descriptors the process may have open.
@discardableResult
package func raiseDescriptorLimit() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
    if limit.rlim_cur < limit.rlim_max {
        let previous = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 {
            limit.rlim_cur = previous
        }
    }
    return Int(clamping: limit.rlim_cur)
}

/// Keeps the memory of this process out of core dumps, and other processes of its user from reading
/// it (`PR_SET_DUMPABLE`, prctl(2)); for processes that hold secrets.
package func forbidCoreDumps() {
    // It fails for no argument that is passed here.
    _ = freshet_forbid_core_dumps()
}
