extension WallTime {
    /// Reads `2027-01-01T00:00:00Z`, with a fraction or an offset if wanted; nil for anything else.
    package init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int? {
            guard range.upperBound <= bytes.count else { return nil }
            var value = 0
            for byte in bytes[range] {
                guard byte &- 0x30 <= 9 else { return nil }
                value = value * 10 + Int(byte - 0x30)
            }
            return value
        }
        func has(_ character: Unicode.Scalar, at index: Int) -> Bool {
            index < bytes.count && bytes[index] | 0x20 == UInt8(ascii: character) | 0x20
        }
        guard has("-", at: 4), has("-", at: 7), has("t", at: 10), has(":", at: 13),
            has(":", at: 16), let year = number(0..<4), let month = number(5..<7),
            let day = number(8..<10), let hour = number(11..<13), let minute = number(14..<16),
            let second = number(17..<19)
        else { return nil }
        guard (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day),
            hour < 24, minute < 60, second < 61
        else { return nil }
        var index = 19
        var milliseconds = 0
        if has(".", at: index) {
            index += 1
            let start = index
            var scale = 100
            while index < bytes.count, bytes[index] &- 0x30 <= 9 {
                milliseconds += Int(bytes[index] - 0x30) * scale
                scale /= 10
                index += 1
            }
            guard index > start else { return nil }
        }
        var offset = 0
        if has("z", at: index) {
            index += 1
        } else {
            guard index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == 0x2D,
                has(":", at: index + 3), let hours = number(index + 1..<index + 3),
                let minutes = number(index + 4..<index + 6), hours < 24, minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * (bytes[index] == 0x2D ? -1 : 1)
            index += 6
        }
        guard index == bytes.count else { return nil }
        let days = Self.daysSince1970(year, month, day)
        let seconds = ((days * 24 + hour) * 60 + minute - offset) * 60 + second
        self.init(milliseconds: Int64(seconds * 1000 + milliseconds))
    }

    private static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    private static func days(in month: Int, of year: Int) -> Int {
        month == 2
            ? (isLeap(year) ? 29 : 28)
            : [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let before = year - 1
        var days = before * 365 + before / 4 - before / 100 + before / 400 - 719_162
        for earlier in 1..<month { days += Self.days(in: earlier, of: year) }
        return days + day - 1
    }
}
