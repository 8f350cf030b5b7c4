import FreshetBase

/// The secrets of one upstream, to be taken out of whatever it says before anybody is shown it.
///
/// A secret is found as it was sent, whatever the case of its letters, and with each of its characters
/// escaped as URLs, JSON or HTML do it. It is found where only its beginning stands, too, since servers
/// shorten what they quote and texts are cut: half of it, or eight bytes of a longer one, or four where
/// the text ends. A secret of fewer than four bytes is not looked for: almost every text has it.
package struct SecretMask: Sendable {
    package static let none = SecretMask([])

    /// The shortest secret that is looked for, in bytes.
    static let shortest = 4
    /// The longest beginning of a secret that is masked wherever it stands, in bytes.
    private static let longestBeginning = 8

    private var patterns: [Pattern] = []

    package init(_ secrets: [Secret]) {
        add(secrets)
    }

    /// The secrets of both.
    func adding(_ other: SecretMask) -> SecretMask {
        var mask = self
        mask.patterns += other.patterns
        return mask
    }

    private mutating func add(_ added: [Secret]) {
        for secret in added where secret.reveal().utf8.count >= Self.shortest {
            patterns.append(Pattern(secret))
        }
    }

    /// `text` with `***` in place of each secret.
    ///
    /// - Complexity: O(text × secrets), and what of both is equal.
    func applied(to text: [UInt8]) -> [UInt8] {
        var shown: [UInt8] = []
        shown.reserveCapacity(text.count)
        // Behind all that begins before a place: what overlaps is one mask.
        var end = 0
        for place in text.indices {
            let isMasked = place < end
            end = patterns.reduce(end) { max($0, $1.end(in: text, at: place)) }
            if place >= end {
                shown.append(text[place])
            } else if !isMasked, !shown.ends(with: "***") {
                shown += "***".utf8
            }
        }
        return shown
    }
}

extension SecretMask {
    private struct Pattern: Sendable {
        let characters: [Character]
        /// Bytes of it that are masked where no more of it follows.
        let least: Int

        init(_ secret: Secret) {
            let text = secret.reveal()
            characters = text.unicodeScalars.map { Character(scalar: $0) }
            least = max(shortest, min(longestBeginning, text.utf8.count / 2))
        }

        /// Where the longest beginning of the secret ends that stands at `start`; `start` where what
        /// stands there is too little of it.
        func end(in text: [UInt8], at start: Int) -> Int {
            // Nearly every byte ends here.
            guard characters[0].mayBegin(with: text[start]) else { return start }
            var ends = [start]
            var end = start
            var count = 0
            for character in characters {
                // One that is not escaped may be the beginning of another that is: all are followed.
                ends = character.ends(in: text, from: ends)
                guard let furthest = ends.max() else { break }
                end = furthest
                count += character.bytes.count
            }
            return count >= (end == text.count ? shortest : least) ? end : start
        }
    }

    /// One of a secret, in all forms in which it may stand in a text.
    private struct Character: Sendable {
        let scalar: Unicode.Scalar

        var bytes: Unicode.Scalar.UTF8View { scalar.utf8 }

        /// Whether one of its forms begins with `byte`.
        func mayBegin(with byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "+"), UInt8(ascii: "%"), UInt8(ascii: "\\"), UInt8(ascii: "&"): true
            default: byte.inLowerCase == bytes[0].inLowerCase
            }
        }

        /// Where it may end that begins at one of `starts`.
        func ends(in text: [UInt8], from starts: [Int]) -> [Int] {
            var ends: [Int] = []
            for start in starts where start < text.count {
                var found = [plainEnd(in: text, at: start)]
                switch text[start] {
                case UInt8(ascii: "+"): if scalar == " " { found.append(start + 1) }
                case UInt8(ascii: "%"): found.append(percentEnd(in: text, at: start))
                case UInt8(ascii: "\\"):
                    found.append(plainEnd(in: text, at: start + 1))
                    found.append(unitsEnd(in: text, at: start))
                case UInt8(ascii: "&"): found.append(referenceEnd(in: text, at: start))
                default: break
                }
                for end in found.compactMap(\.self) where !ends.contains(end) { ends.append(end) }
            }
            return ends
        }

        /// Behind the bytes themselves.
        private func plainEnd(in text: [UInt8], at start: Int) -> Int? {
            let end = start + bytes.count
            guard end <= text.count,
                zip(text[start..<end], bytes).allSatisfy({ $0.inLowerCase == $1.inLowerCase })
            else { return nil }
            return end
        }

        /// Behind `%41`.
        private func percentEnd(in text: [UInt8], at start: Int) -> Int? {
            var place = start
            for byte in bytes {
                guard place < text.count, text[place] == UInt8(ascii: "%"),
                    let value = Self.number(text, place + 1, count: 2, radix: 16),
                    UInt8(truncatingIfNeeded: value).inLowerCase == byte.inLowerCase
                else { return nil }
                place += 3
            }
            return place
        }

        /// Behind `\u0041`.
        private func unitsEnd(in text: [UInt8], at start: Int) -> Int? {
            var place = start
            for unit in scalar.utf16 {
                guard text.dropFirst(place).starts(with: "\\u".utf8),
                    Self.number(text, place + 2, count: 4, radix: 16) == UInt32(unit)
                else { return nil }
                place += 6
            }
            return place
        }

        /// Behind `&#65;`, `&#x41;` or a name that HTML has for it.
        private func referenceEnd(in text: [UInt8], at start: Int) -> Int? {
            // The longest number of a scalar has seven digits.
            let rest = text[(start + 1)...].prefix(10)
            guard let semicolon = rest.firstIndex(of: UInt8(ascii: ";")) else { return nil }
            let name = String(decoding: rest[..<semicolon], as: UTF8.self).lowercased()
            let value: UInt32? =
                if name.hasPrefix("#x") {
                    UInt32(name.dropFirst(2), radix: 16)
                } else if name.hasPrefix("#") {
                    UInt32(name.dropFirst())
                } else {
                    Self.names[name]
                }
            return value == scalar.value ? semicolon + 1 : nil
        }

        private static let names: [String: UInt32] = [
            "amp": 0x26, "apos": 0x27, "gt": 0x3E, "lt": 0x3C, "quot": 0x22,
        ]

        private static func number(
            _ text: [UInt8], _ start: Int, count: Int, radix: Int
        ) -> UInt32? {
            let digits = text.dropFirst(start).prefix(count)
            guard digits.count == count else { return nil }
            return UInt32(String(decoding: digits, as: UTF8.self), radix: radix)
        }
    }
}

extension UInt8 {
    fileprivate var inLowerCase: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }
}

extension [UInt8] {
    fileprivate func ends(with text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount
            && suffix(text.utf8CodeUnitCount).elementsEqual("\(text)".utf8)
    }
}

// MARK: Secrets of a configuration

extension UpstreamSettings {
    /// What header fields have that is secret.
    var secrets: [Secret] { headers.flatMap(\.secrets) }
}

extension UpstreamSettings.Header {
    /// The value and, where it is made of several, the parts that are secret each by itself: the token
    /// behind its scheme, the values of a cookie, user and password of `Basic`.
    fileprivate var secrets: [Secret] {
        guard isSecret else { return [] }
        let value = value.reveal()
        var parts = [Substring(value)]
        var words = value.split(separator: " ")
        if words.count > 1, HeaderName.areSame(name, "Authorization") {
            let scheme = words.removeFirst()
            parts = [value[scheme.endIndex...].drop { $0 == " " }]
            if scheme.lowercased() == "basic", let pair = Self.pair(words[0]) {
                let pair = Secret(pair)
                return parts.map { Secret(String($0)) } + [pair] + pair.password
            }
        }
        // What is as long as this is hardly a word.
        parts += value.split { " ;,=\"".contains($0) }.filter { $0.utf8.count >= 12 }
        return parts.map { Secret(String($0)) }
    }

    /// What `word` of a `Basic` credential says, its padding missing or not; nil where it is no Base64
    /// of a text.
    private static func pair(_ word: Substring) -> String? {
        var digits = Array(word.utf8.prefix { $0 != UInt8(ascii: "=") })
        let count = digits.count * 6 / 8
        while digits.count % 4 != 0 { digits.append(UInt8(ascii: "A")) }
        return digits.withUnsafeBytes { Base64.decode($0) }.flatMap {
            String(validating: $0.prefix(count), as: UTF8.self)
        }
    }
}

extension Secret {
    /// What is behind the colon of `user:password`.
    fileprivate var password: [Secret] {
        let text = reveal()
        guard let colon = text.firstIndex(of: ":") else { return [] }
        return [Secret(String(text[text.index(after: colon)...]))]
    }
}

extension OAuth2Configuration {
    /// The client's secret and the form in which `Basic` sends it, and the first refresh token.
    var secrets: [Secret] {
        [clientSecret, basicClient, refreshToken].compactMap(\.self)
    }
}

/// The secrets of a credential: those of its configuration, and the tokens that it has had lately, since
/// an answer to an old one may still be on its way.
// SAFETY: `tokens` and `known` are read and written under `lock`.
final class CredentialSecrets: @unchecked Sendable {
    private static let mostTokens = 32

    private let lock = Lock()
    private let configured: [Secret]
    private var tokens: [Secret] = []
    private var known: SecretMask

    init(_ configuration: OAuth2Configuration) {
        configured = configuration.secrets
        known = SecretMask(configured)
    }

    var mask: SecretMask { lock.withLock { known } }

    func add(_ added: Secret?...) {
        lock.withLock {
            for token in added.compactMap(\.self) where !tokens.contains(token) {
                if tokens.count == Self.mostTokens { tokens.removeFirst() }
                tokens.append(token)
            }
            known = SecretMask(configured + tokens)
        }
    }
}
