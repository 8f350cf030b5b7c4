extension UnsafeRawBufferPointer {
    /// FNV-1a, 64 bits: the same in every process, so that entity tags and cursors survive a restart. About
    /// 1 ns a byte; not against forgery.
    ///
    /// - Parameter start: The hash of what stands before these bytes.
    @inlinable
    package func fnv(continuing start: UInt64 = 0xCBF2_9CE4_8422_2325) -> UInt64 {
        var hash = start
        for byte in self { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }
}
