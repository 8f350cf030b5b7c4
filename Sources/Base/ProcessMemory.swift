import CLinux
import Glibc

/// The memory of this process, as the system and as the allocator see it. Any thread.
package enum ProcessMemory {
    /// Bytes of physical memory that it has now; nil where the system does not tell.
    package static var resident: Int? {
        // By proc(5): the size, and how much of it is resident, in pages.
        let pages = KernelFile.text(at: "/proc/self/statm")?.split(separator: " ").dropFirst().first
        return pages.flatMap { Int($0) }.map { $0 * sysconf(CInt(_SC_PAGESIZE)) }
    }

    /// Bytes that the allocator has given out. O(its free blocks).
    package static var allocated: Int { Int(clamping: freshet_allocated()) }

    /// Has the allocator give back to the system what was freed. It keeps that otherwise where it lies
    /// between what is in use: after a burst for good. O(its free blocks); who allocates waits meanwhile.
    package static func giveBack() {
        malloc_trim(0)
    }
}
