/// What a `Content-Type` names, as far as routes differ by it. Parameters are checked for their form
/// and ignored, but for a character set other than UTF-8, which makes a type `other`.
package enum MediaType: UInt8, Sendable {
    /// `application/json`.
    case json
    /// `application/merge-patch+json`.
    case mergePatch
    /// `application/json-patch+json` and other changes as JSON: `application/…patch+json`.
    case otherPatch
    /// Another `application/…+json`.
    case jsonSuffix
    /// `application/x-ndjson`, `application/ndjson`, `application/jsonl`.
    case ndjson
    /// `application/x-www-form-urlencoded`, what `curl -d` sends.
    case form
    /// `multipart/…`.
    case multipart
    /// `text/html`.
    case html
    /// `text/event-stream`.
    case eventStream
    /// Another `text/…`.
    case text
    case other
    /// Not a media type at all.
    case malformed

    /// One JSON value, under whichever of its names.
    package var isJSON: Bool {
        switch self {
        case .json, .mergePatch, .otherPatch, .jsonSuffix: true
        default: false
        }
    }

    package init(_ value: UnsafeRawBufferPointer) {
        // As nearly everybody writes it.
        if value.equals("application/json") {
            self = .json
            return
        }
        var parts = CommaList(value, separator: Ascii.semicolon)
        guard let essence = parts.next(), let kind = MediaType(essence: essence) else {
            self = .malformed
            return
        }
        self = kind
        while let parameter = parts.next() {
            guard let (name, text) = Self.split(parameter) else {
                self = .malformed
                return
            }
            if HeaderText.equalsIgnoringCase(name, "charset"),
                !HeaderText.equalsIgnoringCase(text, "utf-8"),
                !HeaderText.equalsIgnoringCase(text, "utf8")
            {
                self = .other
            }
        }
    }

    /// Whether `value` would name JSON or lines of it, were it not for its character set.
    package static func isJSONOfAnotherCharset(_ value: UnsafeRawBufferPointer) -> Bool {
        var parts = CommaList(value, separator: Ascii.semicolon)
        guard MediaType(value) == .other, let essence = parts.next(),
            let kind = MediaType(essence: essence)
        else { return false }
        return kind.isJSON || kind == .ndjson
    }

    /// Nil where `essence` is not `token/token`.
    private init?(essence: UnsafeRawBufferPointer) {
        guard let slash = essence.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        let type = essence.part(0..<slash)
        let subtype = essence.part(slash + 1..<essence.count)
        guard Self.isToken(type), Self.isToken(subtype) else { return nil }
        func has(_ text: StaticString) -> Bool { HeaderText.equalsIgnoringCase(subtype, text) }
        func ends(_ text: StaticString) -> Bool {
            let start = subtype.count - text.utf8CodeUnitCount
            return start > 0
                && HeaderText.equalsIgnoringCase(subtype.part(start..<subtype.count), text)
        }
        if HeaderText.equalsIgnoringCase(type, "application") {
            if has("json") {
                self = .json
            } else if has("merge-patch+json") {
                self = .mergePatch
            } else if has("x-ndjson") || has("ndjson") || has("jsonl") {
                self = .ndjson
            } else if has("x-www-form-urlencoded") {
                self = .form
            } else if ends("patch+json") {
                self = .otherPatch
            } else if ends("+json") {
                self = .jsonSuffix
            } else {
                self = .other
            }
        } else if HeaderText.equalsIgnoringCase(type, "text") {
            self = has("html") ? .html : has("event-stream") ? .eventStream : .text
        } else {
            self = HeaderText.equalsIgnoringCase(type, "multipart") ? .multipart : .other
        }
    }

    /// `name=value`, a quoted value without its quotes.
    static func split(
        _ parameter: UnsafeRawBufferPointer
    ) -> (name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer)? {
        guard let equals = parameter.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let name = HeaderText.trim(parameter.part(0..<equals))
        var value = HeaderText.trim(parameter.part(equals + 1..<parameter.count))
        guard isToken(name) else { return nil }
        if value.count >= 2, value[0] == Ascii.quote, value[value.count - 1] == Ascii.quote {
            value = value.part(1..<value.count - 1)
        } else if !isToken(value) {
            return nil
        }
        return (name, value)
    }

    static func isToken(_ bytes: UnsafeRawBufferPointer) -> Bool {
        for byte in bytes where !CharacterClass.allows(byte, CharacterClass.token) { return false }
        return !bytes.isEmpty
    }
}
