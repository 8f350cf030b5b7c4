import CMallocCount

/// How many times memory was asked for since the program began.
var allocationCount: Int { freshet_malloc_count() }
