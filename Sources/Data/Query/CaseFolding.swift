/// Simple case folding: one scalar becomes one scalar (Unicode, CaseFolding.txt, status C and S).
package enum CaseFolding {
    /// The folded form of a scalar; values that are no scalars fold to themselves.
    ///
    /// The standard library has no folding, so it is derived: the simple lower case of the simple
    /// upper case, each only where its full mapping is one scalar. That equals C and S but for
    /// what stands in `exception(_:)`. ASCII takes no table.
    package static func simple(_ value: UInt32) -> UInt32 {
        if value < 0x80 { return value &- 0x41 < 26 ? value | 0x20 : value }
        if let exception = exception(value) { return exception }
        guard let scalar = Unicode.Scalar(value) else { return value }
        return lowercase(uppercase(scalar)).value
    }

    private static func uppercase(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        single(scalar.properties.uppercaseMapping) ?? scalar
    }

    private static func lowercase(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        single(scalar.properties.lowercaseMapping) ?? scalar
    }

    private static func single(_ mapping: String) -> Unicode.Scalar? {
        var scalars = mapping.unicodeScalars.makeIterator()
        guard let first = scalars.next(), scalars.next() == nil else { return nil }
        return first
    }

    private static func exception(_ value: UInt32) -> UInt32? {
        switch value {
        // The dotless i has an upper case, yet folds to itself: folding knows no Turkish.
        case 0x0131: value
        // Cherokee folds to upper case, which is older than its lower case.
        case 0x13A0...0x13F5: value
        case 0x13F8...0x13FD: value - 8
        case 0xAB70...0xABBF: value - 0xAB70 + 0x13A0
        // Pairs that differ in their canonical composition alone; their upper case is longer.
        case 0x1FD3: 0x0390
        case 0x1FE3: 0x03B0
        case 0xFB05: 0xFB06
        default: nil
        }
    }
}
