extension JSONNumber {
    /// The significant digits of a number's text, where they stand: value = ±0.digits × 10^magnitude.
    package struct Digits {
        private let parts: Parts

        /// - Parameter text: A valid number, kept alive by the caller.
        package init(_ text: UnsafeRawBufferPointer) {
            parts = Parts(text)
        }

        /// -1, 0 or 1; for 0 nothing else counts.
        package var sign: Int { parts.sign }
        /// Digits without zeros at either end.
        package var count: Int { parts.significant }
        /// Held to ±10^18.
        package var magnitude: Int { parts.magnitude }
        /// Reads the digits in order, then zeros for ever.
        package var cursor: Cursor { Cursor(inner: parts.cursor) }

        package struct Cursor {
            fileprivate var inner: Parts.Cursor

            /// The next digit, 0...9.
            package mutating func next() -> UInt8 { inner.next() }
        }
    }
}
