import CMallocCount
import FreshetBase

/// How many times memory was asked for since the program began.
var allocationCount: Int { freshet_malloc_count() }

/// Bytes of memory that the program has resident, by the kernel's count.
var residentBytes: Int { ProcessMemory.resident ?? 0 }
