import CMallocCount
import Glibc

/// How many times memory was asked for since the program began.
var allocationCount: Int { freshet_malloc_count() }

/// Bytes of memory that the program has resident, by the kernel's count.
var residentBytes: Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, CInt(line.count), file) != nil else { return 0 }
    let text = String(
        decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let fields = text.split(separator: " ")
    guard fields.count > 1, let pages = Int(fields[1]) else { return 0 }
    return pages * Int(sysconf(CInt(_SC_PAGESIZE)))
}
