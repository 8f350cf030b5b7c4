/// What may be shown where an upstream has been quoted: nothing secret, nothing long, nothing odd.
///
/// It is made of an upstream's words with the mask of its secrets, or of words that are all our own.
/// Errors carry this and no other text, so that nothing can be quoted without a mask.
package struct Excerpt: Sendable, Equatable {
    static let maximumCount = 200
    /// Bytes that are looked at; masked, they may be fewer characters than could be shown.
    private static let window = 4096

    package let text: String

    /// The first characters, with `***` for secrets and `?` for what is neither plain ASCII nor a
    /// letter.
    init(of words: [UInt8], masking mask: SecretMask) {
        // First masked, then cut: of a secret that is cut in two nothing would be found.
        let words = mask.applied(to: Array(words.prefix(Self.window)))
        var text = ""
        for scalar in String(decoding: words, as: UTF8.self).unicodeScalars.prefix(
            Self.maximumCount)
        {
            let isPlain = (0x20..<0x7F).contains(scalar.value) || scalar.properties.isAlphabetic
            text.unicodeScalars.append(isPlain ? scalar : "?")
        }
        self.text = text
    }

    init(of words: UpstreamText, masking mask: SecretMask) {
        self.init(of: words.bytes, masking: mask)
    }

    /// - Parameter own: Nothing of it is an upstream's, but excerpts.
    package init(own: String) {
        text = own
    }

    package var isEmpty: Bool { text.isEmpty }
}

extension Excerpt: ExpressibleByStringLiteral {
    package init(stringLiteral: StaticString) {
        self.init(own: "\(stringLiteral)")
    }
}

extension Excerpt: CustomStringConvertible {
    package var description: String { text }
}

/// Words of which some are an upstream's, on their way to an `Excerpt`: they can be seen in no other way.
package struct UpstreamText: Sendable, Equatable {
    private let words: Secret

    init(_ bytes: [UInt8]) {
        words = Secret(String(decoding: bytes, as: UTF8.self))
    }

    fileprivate var bytes: [UInt8] { Array(words.reveal().utf8) }
}

extension UpstreamText: ExpressibleByStringInterpolation {
    package init(stringLiteral: String) {
        words = Secret(stringLiteral)
    }
}
