/// The forms of strings that a schema can ask for, over the bytes between the quotes.
///
/// Canonical JSON escapes only what none of these forms contains, so a backslash never fits.
enum SchemaFormat {
    /// RFC 3339 full-date: `2026-11-21`, a day that exists.
    static func isDate(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count == 10, text[4] == dash, text[7] == dash,
            let year = digits(text, 0..<4), let month = digits(text, 5..<7),
            let day = digits(text, 8..<10)
        else { return false }
        guard (1...12).contains(month), day >= 1 else { return false }
        return day <= days(ofMonth: month, year: year)
    }

    /// RFC 3339 date-time: `2026-11-21T03:10:00.5Z`, with an offset in place of `Z` if wanted. A
    /// leap second stands only where the last minute of a UTC day ends.
    static func isDateTime(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count >= 20, isDate(UnsafeRawBufferPointer(rebasing: text[0..<10])),
            text[10] | 0x20 == UInt8(ascii: "t"), text[13] == colon, text[16] == colon,
            let hour = digits(text, 11..<13), let minute = digits(text, 14..<16),
            let second = digits(text, 17..<19), hour < 24, minute < 60, second <= 60
        else { return false }
        var place = 19
        if text[place] == UInt8(ascii: ".") {
            place += 1
            let first = place
            while place < text.count, isDigit(text[place]) { place += 1 }
            guard place > first, place < text.count else { return false }
        }
        var offset = 0
        switch text[place] {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"):
            guard place == text.count - 1 else { return false }
        case UInt8(ascii: "+"), dash:
            guard text.count - place == 6, text[place + 3] == colon,
                let hours = digits(text, place + 1..<place + 3),
                let minutes = digits(text, place + 4..<place + 6), hours < 24, minutes < 60
            else { return false }
            offset = (hours * 60 + minutes) * (text[place] == dash ? -1 : 1)
        default: return false
        }
        guard second == 60 else { return true }
        return (hour * 60 + minute - offset + 2 * 1440) % 1440 == 1439
    }

    /// ISO 8601: `P1Y2M3DT4H5M6.5S` or `P2W`. At least one part, in that order; only the last may
    /// have a fraction.
    static func isDuration(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.count >= 3, text[0] == UInt8(ascii: "P") else { return false }
        var units: [UInt8] = [UInt8(ascii: "Y"), UInt8(ascii: "M"), UInt8(ascii: "D")]
        var place = 1
        var unit = 0
        var inTime = false
        while place < text.count {
            if text[place] == UInt8(ascii: "T") {
                guard !inTime, place + 1 < text.count else { return false }
                inTime = true
                units = [UInt8(ascii: "H"), UInt8(ascii: "M"), UInt8(ascii: "S")]
                unit = 0
                place += 1
                continue
            }
            let first = place
            while place < text.count, isDigit(text[place]) { place += 1 }
            guard place > first, place < text.count else { return false }
            var hasFraction = false
            if text[place] == UInt8(ascii: ".") || text[place] == UInt8(ascii: ",") {
                hasFraction = true
                place += 1
                let first = place
                while place < text.count, isDigit(text[place]) { place += 1 }
                guard place > first, place < text.count else { return false }
            }
            if text[place] == UInt8(ascii: "W") {
                return first == 1 && place == text.count - 1
            }
            while unit < units.count, units[unit] != text[place] { unit += 1 }
            guard unit < units.count else { return false }
            unit += 1
            place += 1
            if hasFraction, place != text.count { return false }
        }
        return true
    }

    /// RFC 3986 URI with a scheme: the characters of each part and percent-encodings, not what
    /// the scheme makes of them.
    static func isURI(_ text: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        while place < text.count, text[place] != colon {
            let byte = text[place]
            let fits = isLetter(byte) || place > 0 && (isDigit(byte) || schemeMark(byte))
            guard fits else { return false }
            place += 1
        }
        guard place > 0, place < text.count - 1 else { return false }
        place += 1
        var inAuthority = false
        if text.count - place >= 2, text[place] == slash, text[place + 1] == slash {
            inAuthority = true
            place += 2
        }
        var inFragment = false
        while place < text.count {
            let byte = text[place]
            switch byte {
            case UInt8(ascii: "%"):
                guard place + 2 < text.count, isHex(text[place + 1]), isHex(text[place + 2])
                else { return false }
                place += 2
            case UInt8(ascii: "#"):
                guard !inFragment else { return false }
                inFragment = true
                inAuthority = false
            case slash, UInt8(ascii: "?"): inAuthority = false
            case UInt8(ascii: "["):
                guard inAuthority, "/@".utf8.contains(text[place - 1]),
                    let end = literalEnd(text, from: place + 1)
                else { return false }
                place = end
            default:
                guard isLetter(byte) || isDigit(byte) || uriMark(byte) else { return false }
            }
            place += 1
        }
        return true
    }

    /// Where an address in brackets ends, whose first byte is at `place`: only a port, or the end of
    /// the authority, may follow. nil where it does not.
    private static func literalEnd(_ text: UnsafeRawBufferPointer, from place: Int) -> Int? {
        // An address of a later kind, and the zone of one, have other marks as well.
        let isAddress = { (byte: UInt8) in
            isLetter(byte) || isDigit(byte) || "-._~!$&'()*+,;=:%".utf8.contains(byte)
        }
        let end = text[place...].firstIndex { !isAddress($0) }
        guard let end, end > place, text[end] == UInt8(ascii: "]") else { return nil }
        return end + 1 == text.count || ":/?#".utf8.contains(text[end + 1]) ? end : nil
    }

    /// Unicode scalars of a canonical string's contents; an escape is one.
    static func scalarCount(_ contents: UnsafeRawBufferPointer) -> Int {
        var count = 0
        var place = 0
        while place < contents.count {
            let byte = contents[place]
            if byte == UInt8(ascii: "\\") {
                let isLong = place + 1 < contents.count && contents[place + 1] == UInt8(ascii: "u")
                place += isLong ? 6 : 2
                count += 1
            } else {
                if byte & 0xC0 != 0x80 { count += 1 }
                place += 1
            }
        }
        return count
    }

    private static let dash = UInt8(ascii: "-")
    private static let colon = UInt8(ascii: ":")
    private static let slash = UInt8(ascii: "/")

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 <= 9 }
    private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 <= 25 }
    private static func isHex(_ byte: UInt8) -> Bool {
        isDigit(byte) || (byte | 0x20) &- 0x61 <= 5
    }

    private static func schemeMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "+") || byte == dash || byte == UInt8(ascii: ".")
    }

    /// Unreserved and sub-delimiters, `:` and `@` (RFC 3986, section 3.3).
    private static func uriMark(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"),
            UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"),
            UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: ":"),
            UInt8(ascii: "@"):
            true
        default: false
        }
    }

    private static func digits(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int? {
        var value = 0
        for index in range {
            guard isDigit(text[index]) else { return nil }
            value = value * 10 + Int(text[index] &- 0x30)
        }
        return value
    }

    private static func days(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }
}
