import FreshetJSON

extension Filter {
    /// What it comes to where ids are compared with a number that no id is, a fraction or one beyond
    /// 64 bits: a comparison with the integer below it. Ids that are no integers stand behind all
    /// that are.
    ///
    /// - Returns: nil for an id, for what is no number, and for equality, which no id has with it.
    package static func idBound(_ comparison: Comparison, _ literal: Literal) -> Filter? {
        guard literal.kind == .number, literal.withView({ $0.int64 }) == nil else { return nil }
        let isUpper: Bool
        switch comparison {
        case .less, .lessOrEqual: isUpper = true
        case .greater, .greaterOrEqual: isUpper = false
        case .equal, .notEqual: return nil
        }
        guard let below = integer(below: literal) else { return .constant(!isUpper) }
        return .compare(.id, isUpper ? .lessOrEqual : .greater, Literal(string: String(below)))
    }

    /// The greatest 64-bit integer that is not above the number, however that is spelled; nil where
    /// all are above it.
    private static func integer(below number: Literal) -> Int64? {
        number.withView { view in
            func isReached(_ value: Int64) -> Bool {
                Array(String(value).utf8).withUnsafeBytes {
                    JSONNumber.compare($0, view.bytes) <= 0
                }
            }
            guard isReached(.min) else { return nil }
            // Bit by bit, from the lowest integer up.
            var distance: UInt64 = 0
            for bit in (0..<UInt64.bitWidth).reversed() {
                let farther = distance | 1 << UInt64(bit)
                if isReached(Int64(bitPattern: farther ^ 1 << 63)) { distance = farther }
            }
            return Int64(bitPattern: distance ^ 1 << 63)
        }
    }
}
