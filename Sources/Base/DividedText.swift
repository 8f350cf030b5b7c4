extension Substring {
    /// The parts between all `sign`s, which is of ASCII; empty ones as well.
    ///
    /// By bytes, as the grammars mean it that such a sign divides: of the sign and a combining mark behind it
    /// Swift makes one character, which is not the sign any more.
    package func divided(at sign: Unicode.Scalar) -> [Substring] {
        utf8.split(separator: UInt8(ascii: sign), omittingEmptySubsequences: false)
            .map(Substring.init)
    }
}

extension String {
    /// As of its whole text.
    package func divided(at sign: Unicode.Scalar) -> [Substring] { self[...].divided(at: sign) }
}
