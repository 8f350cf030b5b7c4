/// What a client's `Accept` says of the three kinds of answers there are (RFC 9110 12.5.1).
///
/// The more specific range decides on a type, whatever the order: `text/html` over `text/*` over `*/*`.
/// Ranges with parameters other than `q` are taken without them. Ranges that are malformed are skipped.
package struct AcceptedMedia: Equatable, Sendable {
    /// The weight of `application/json`, times 1000; 0 is "not acceptable". A range that names
    /// `application/problem+json` or another JSON type counts for it, at no more than it says.
    package private(set) var json = 1000
    /// The weight of `text/event-stream`, times 1000.
    package private(set) var eventStream = 1000
    /// The weight of `text/html`, times 1000.
    package private(set) var html = 1000
    /// Whether `text/event-stream` is named itself, with a weight above 0.
    package private(set) var namesEventStream = false
    /// Whether `text/html` is named itself, with a weight above 0.
    package private(set) var namesHTML = false
    /// The weight of `text/markdown`, times 1000; 0 where it is not named itself.
    package private(set) var markdown = 0

    /// A stream is what somebody asks for by name and likes at least as well as JSON: a browser's
    /// EventSource does, `*/*` does not.
    package var prefersEventStream: Bool { namesEventStream && eventStream >= json }

    /// The page is for those who name it and like it at least as well as JSON: browsers.
    package var prefersHTML: Bool { namesHTML && html >= json }

    /// The source of a page is for those who name it and like it at least as well as HTML.
    package var prefersMarkdown: Bool { markdown > 0 && (!namesHTML || markdown >= html) }

    /// No `Accept` at all: everything, and JSON is the default.
    package init() {}

    /// - Parameter value: The header's value; nil where absent.
    package init(_ value: UnsafeRawBufferPointer?) {
        self.init()
        guard let value, !value.isEmpty, !value.equals("*/*") else { return }
        add(value)
    }

    /// The same for a head whose `Accept` may stand on several lines: their ranges are one list.
    package init(_ head: borrowing RequestHead, in bytes: UnsafeRawBufferPointer) {
        self.init()
        guard head.isRepeated(.accept) else {
            self = AcceptedMedia(head.value(.accept, in: bytes))
            return
        }
        var all: [UInt8] = []
        head.forEachValue(of: .accept, in: bytes) { value in
            all.append(contentsOf: value)
            all.append(Ascii.comma)
        }
        all.withUnsafeBytes { add($0) }
    }

    /// The weight found so far for a type, and how specific the range was: 0 none, 1 `*/*`,
    /// 2 `text/*`, 3 a JSON type by another name, 4 the type itself.
    private struct Best {
        var weight = 0
        var precision = 0

        mutating func take(_ weight: Int, _ precision: Int) {
            if precision > self.precision || precision == self.precision && weight > self.weight {
                self.weight = weight
                self.precision = precision
            }
        }
    }

    private mutating func add(_ value: UnsafeRawBufferPointer) {
        var forJSON = Best()
        var forStream = Best()
        var forHTML = Best()
        var ranges = CommaList(value)
        while let range = ranges.next() {
            var parts = CommaList(range, separator: Ascii.semicolon)
            guard let essence = parts.next() else { continue }
            var weight = 1000
            while let parameter = parts.next() {
                guard let (name, text) = MediaType.split(parameter),
                    HeaderText.equalsIgnoringCase(name, "q")
                else { continue }
                weight = Self.weight(text)
            }
            if essence.equals("*/*") {
                forJSON.take(weight, 1)
                forStream.take(weight, 1)
                forHTML.take(weight, 1)
            } else if HeaderText.equalsIgnoringCase(essence, "application/*") {
                forJSON.take(weight, 2)
            } else if HeaderText.equalsIgnoringCase(essence, "text/*") {
                forStream.take(weight, 2)
                forHTML.take(weight, 2)
            } else if HeaderText.equalsIgnoringCase(essence, "text/markdown") {
                markdown = max(markdown, weight)
            } else {
                switch MediaType(essence) {
                case .json: forJSON.take(weight, 4)
                case .jsonSuffix, .mergePatch: forJSON.take(weight, 3)
                case .eventStream: forStream.take(weight, 4)
                case .html: forHTML.take(weight, 4)
                default: break
                }
            }
        }
        json = forJSON.weight
        eventStream = forStream.weight
        html = forHTML.weight
        namesEventStream = forStream.precision == 4 && eventStream > 0
        namesHTML = forHTML.precision == 4 && html > 0
    }

    /// `0`, `1`, `0.5`, at most three decimals (RFC 9110 12.4.2); 0 for anything else.
    static func weight(_ text: UnsafeRawBufferPointer) -> Int {
        guard let first = text.first, text.count <= 5 else { return 0 }
        if text.count > 1, text[1] != UInt8(ascii: ".") { return 0 }
        var thousandths = 0
        var unit = 100
        for byte in text.dropFirst(2) {
            let digit = byte &- UInt8(ascii: "0")
            guard digit <= 9 else { return 0 }
            thousandths += Int(digit) * unit
            unit /= 10
        }
        switch first {
        case UInt8(ascii: "0"): return thousandths
        case UInt8(ascii: "1"): return thousandths == 0 ? 1000 : 0
        default: return 0
        }
    }
}
