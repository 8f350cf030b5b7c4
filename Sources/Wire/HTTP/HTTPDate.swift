package import FreshetBase

/// A moment as HTTP writes it (IMF-fixdate, RFC 9110 5.6.7), 29 bytes held in place:
/// `Sun, 06 Nov 1994 08:49:37 GMT`. An event loop makes one a second.
package struct HTTPDate: Sendable {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    private static let length = 29

    /// - Parameter epochSeconds: Since 1970-01-01T00:00:00Z; held to the years 1970...9999.
    package init(epochSeconds: Int64) {
        let seconds = min(max(epochSeconds, 0), 253_402_300_799)
        let days = seconds / 86_400
        let time = Int(seconds % 86_400)
        let (year, month, day) = Self.civil(days: days)
        withUnsafeMutableBytes(of: &words) { bytes in
            // 1970-01-01 was a Thursday.
            Self.put(Self.weekdays, offset: Int((days + 4) % 7) * 3, bytes: bytes, place: 0)
            bytes[3] = Ascii.comma
            bytes[4] = Ascii.space
            Self.put(twoDigits: day, bytes, 5)
            bytes[7] = Ascii.space
            Self.put(Self.months, offset: (month - 1) * 3, bytes: bytes, place: 8)
            bytes[11] = Ascii.space
            Self.put(twoDigits: year / 100, bytes, 12)
            Self.put(twoDigits: year % 100, bytes, 14)
            bytes[16] = Ascii.space
            Self.put(twoDigits: time / 3600, bytes, 17)
            bytes[19] = Ascii.colon
            Self.put(twoDigits: time / 60 % 60, bytes, 20)
            bytes[22] = Ascii.colon
            Self.put(twoDigits: time % 60, bytes, 23)
            bytes[25] = Ascii.space
            Self.put("GMT", offset: 0, bytes: bytes, place: 26)
        }
    }

    /// Appends the 29 bytes.
    @inline(__always)
    package func append(to buffer: inout ByteBuffer) {
        // All 32 bytes are copied, which is one store of a vector or two, and 29 are counted.
        buffer.reserve(32).storeBytes(of: words, as: (UInt64, UInt64, UInt64, UInt64).self)
        buffer.advance(by: Self.length)
    }

    package var text: String {
        withUnsafeBytes(of: words) { String(decoding: $0.prefix(Self.length), as: UTF8.self) }
    }

    private static var weekdays: StaticString { "SunMonTueWedThuFriSat" }
    private static var months: StaticString { "JanFebMarAprMayJunJulAugSepOctNovDec" }

    private static func put(
        _ names: StaticString, offset: Int, bytes: UnsafeMutableRawBufferPointer, place: Int
    ) {
        for index in 0..<3 { bytes[place + index] = names.utf8Start[offset + index] }
    }

    private static func put(
        twoDigits value: Int, _ bytes: UnsafeMutableRawBufferPointer, _ place: Int
    ) {
        bytes[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / 10)
        bytes[place + 1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10)
    }

    /// Year, month 1...12 and day 1...31 of a day counted from 1970-01-01.
    ///
    /// Years are taken to begin in March, so that the leap day is the last of its year, and counted
    /// in eras of 400 years, 146,097 days, after which the calendar repeats.
    private static func civil(days: Int64) -> (year: Int, month: Int, day: Int) {
        // 719,468 days lie between 0000-03-01 and 1970-01-01.
        let shifted = Int(days) + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}

extension HTTPDate {
    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The moment that `text` names in this form or in one of the two that recipients must know
    /// (RFC 9110, 5.6.7): `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
    package static func wallTime(_ text: some StringProtocol) -> WallTime? {
        let words = text.split(separator: " ").map { String($0) }
        // Day, month, year and time of day.
        let parts: [String]
        switch words.count {
        case 6 where words[5] == "GMT": parts = Array(words[1...4])
        case 5: parts = [words[2], words[1], words[4], words[3]]
        case 4 where words[3] == "GMT":
            var date = words[1].split(separator: "-").map { String($0) }
            guard date.count == 3, date[2].utf8.count == 2 else { return nil }
            // What this reads is of the present, so that a year of two digits is one of 1970...2069.
            date[2] = (date[2] < "70" ? "20" : "19") + date[2]
            parts = date + [words[2]]
        default: return nil
        }
        guard let day = Int(parts[0]), (1...31).contains(day),
            let month = monthNames.firstIndex(of: parts[1]),
            let year = Int(parts[2]), (1970...9999).contains(year)
        else { return nil }
        let clock = parts[3].split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3, (0..<24).contains(clock[0]), (0..<60).contains(clock[1]),
            (0..<61).contains(clock[2])
        else { return nil }
        // Days since 1970 of the civil calendar, years counted from March.
        let shifted = month < 2 ? year - 1 : year
        let monthFromMarch = (month + 10) % 12
        let days =
            365 * shifted + shifted / 4 - shifted / 100 + shifted / 400
            + (153 * monthFromMarch + 2) / 5 + day - 1 - 719_468
        let seconds = ((days * 24 + clock[0]) * 60 + clock[1]) * 60 + clock[2]
        return WallTime(milliseconds: Int64(seconds) * 1000)
    }
}
