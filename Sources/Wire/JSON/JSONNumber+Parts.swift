extension JSONNumber {
    /// A number text taken apart: value = sign × 0.d₁d₂…dₙ × 10^(point + exponent), d₁ ≠ 0 ≠ dₙ.
    struct Parts {
        /// -1, 0 or 1; for 0 nothing else counts.
        let sign: Int
        /// From the first significant digit to the end of integer part and fraction.
        private let digits: UnsafeRawBufferPointer
        /// Significant digits: n above.
        let significant: Int
        /// Where the point stands, counted from the first significant digit.
        let point: Int
        /// The exponent's digits without leading zeros, as text.
        let exponent: UnsafeRawBufferPointer
        /// -1 or 1.
        let exponentSign: Int

        /// - Parameter text: A valid number.
        init(_ text: UnsafeRawBufferPointer) {
            let isNegative = text.first == UInt8(ascii: "-")
            let start = isNegative ? 1 : 0
            var mantissaEnd = start
            var pointOffset: Int?
            while mantissaEnd < text.count {
                let byte = text[mantissaEnd]
                if byte | 0x20 == UInt8(ascii: "e") { break }
                if byte == UInt8(ascii: ".") { pointOffset = mantissaEnd }
                mantissaEnd += 1
            }
            var first = start
            while first < mantissaEnd, text[first] == UInt8(ascii: "0") || first == pointOffset {
                first += 1
            }
            var last = mantissaEnd
            while last > first, text[last - 1] == UInt8(ascii: "0") || last - 1 == pointOffset {
                last -= 1
            }
            let place = pointOffset ?? mantissaEnd
            let pointIsInside = first < place && place < last
            significant = last - first - (pointIsInside ? 1 : 0)
            sign = significant == 0 ? 0 : isNegative ? -1 : 1
            digits = UnsafeRawBufferPointer(rebasing: text[first..<last])
            // Behind the point, the zeros that were skipped count down from it.
            point = first < place ? place - first : place + 1 - first

            var offset = min(mantissaEnd + 1, text.count)
            var exponentSign = 1
            if offset < text.count, text[offset] == UInt8(ascii: "-") { exponentSign = -1 }
            while offset < text.count, !(UInt8(ascii: "1")...UInt8(ascii: "9") ~= text[offset]) {
                offset += 1
            }
            exponent = UnsafeRawBufferPointer(rebasing: text[offset...])
            self.exponentSign = exponentSign
        }

        /// point + exponent, held to ±10^18.
        var magnitude: Int {
            guard exponent.count <= 17 else { return exponentSign * 1_000_000_000_000_000_000 }
            var value = 0
            for byte in exponent { value = value * 10 + Int(byte &- 0x30) }
            return point + exponentSign * value
        }

        /// The exponent's digit that has `place - 1` digits behind it; 0 in front of its first.
        @inline(__always)
        func exponentDigit(_ place: Int) -> Int {
            place > exponent.count ? 0 : Int(exponent[exponent.count - place] &- 0x30)
        }

        var cursor: Cursor { Cursor(digits: digits) }

        /// Reads significant digits in order, then zeros for ever.
        struct Cursor {
            let digits: UnsafeRawBufferPointer
            var offset = 0

            @inline(__always)
            mutating func next() -> UInt8 {
                guard offset < digits.count else { return 0 }
                var byte = digits[offset]
                offset += 1
                if byte == UInt8(ascii: ".") {
                    guard offset < digits.count else { return 0 }
                    byte = digits[offset]
                    offset += 1
                }
                return byte &- 0x30
            }
        }
    }
}
