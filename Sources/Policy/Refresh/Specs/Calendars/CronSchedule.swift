import FreshetBase

/// Instants at which the wall clock of a zone shows a minute that five fields allow: minute, hour, day
/// of the month, month, day of the week.
///
/// A field is `*`, a number, a range `a-b`, a step `*/n`, `a-b/n` or `a/n`, or a list of these;
/// months and weekdays have names, too, and 7 is Sunday as 0 is. Where both the day of the month and
/// the weekday are restricted, either suffices. A minute that the wall clock shows twice counts
/// twice, one that it skips does not come.
public struct CronSchedule: Hashable, Sendable {
    /// Why a text is none.
    public struct Fault: Error, Hashable, Sendable {
        /// What was expected, without a full stop.
        public let expected: String
    }

    private let minutes: UInt64
    private let hours: UInt64
    private let days: UInt64
    private let months: UInt64
    private let weekdays: UInt64
    public let text: String
    public let zone: ZoneClock

    /// Days to look ahead: a 29 February is at most eight years away.
    private static let mostDays: Int64 = 3_300
    private static let mostSegments = 64
    /// Seconds from 1970 beyond which nothing is looked for: about 139,000 years.
    private static let farthest: Int64 = 1 << 42

    public init(_ text: String, zone: ZoneClock = .utc) throws(Fault) {
        guard text.utf8.count <= 1_024 else {
            throw Fault(expected: "a cron expression of at most 1024 bytes")
        }
        let fields = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
        guard fields.count == 5 else {
            throw Fault(
                expected: "five fields: minute, hour, day of the month, month, day of the week")
        }
        minutes = try Self.field(fields[0], "minute", 0...59)
        hours = try Self.field(fields[1], "hour", 0...23)
        days = try Self.field(fields[2], "day of the month", 1...31)
        months = try Self.field(fields[3], "month", 1...12, names: Self.monthNames)
        let week = try Self.field(
            fields[4], "day of the week", 0...7, names: Self.dayNames)
        weekdays = (week | week >> 7) & 0x7F
        self.text = fields.joined(separator: " ")
        self.zone = zone
        guard hasInstants else {
            throw Fault(expected: "a day of the month that one of the months has")
        }
    }

    private static let monthNames = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
    private static let dayNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

    private static func field(
        _ text: Substring, _ what: String, _ bounds: ClosedRange<Int>, names: [String] = []
    ) throws(Fault) -> UInt64 {
        var mask: UInt64 = 0
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            mask |= try element(part, what: what, bounds: bounds, names: names)
        }
        return mask
    }

    private static func element(
        _ text: Substring, what: String, bounds: ClosedRange<Int>, names: [String]
    ) throws(Fault) -> UInt64 {
        let fault = Fault(
            expected: "a \(what): \"*\", \(bounds.lowerBound) to \(bounds.upperBound)"
                + (names.isEmpty ? "" : ", a name such as \"\(names[0])\"")
                + ", a range, a step or a list, in place of \"\(text)\"")
        func number(_ text: Substring) throws(Fault) -> Int {
            if let index = names.firstIndex(of: text.lowercased()) {
                return index + bounds.lowerBound
            }
            guard !text.isEmpty, text.utf8.count <= 4, text.utf8.allSatisfy({ $0 &- 0x30 <= 9 }),
                let number = Int(text), bounds.contains(number)
            else { throw fault }
            return number
        }
        let halves = text.split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count <= 2 else { throw fault }
        var step = 1
        if halves.count == 2 {
            guard halves[1].utf8.count <= 4, halves[1].utf8.allSatisfy({ $0 &- 0x30 <= 9 }),
                let number = Int(halves[1]), number > 0
            else { throw fault }
            step = number
        }
        var first = bounds.lowerBound
        var last = bounds.upperBound
        if halves[0] != "*" {
            let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
            guard ends.count <= 2 else { throw fault }
            first = try number(ends[0])
            if ends.count == 2 {
                last = try number(ends[1])
                // From a day to Sunday, which is 0 by name.
                if last == 0, first > 0, bounds.upperBound == 7 { last = 7 }
            } else if halves.count == 1 {
                last = first
            }
            guard first <= last else { throw fault }
        }
        // Sunday is 0 and 7: what has no end of its own has it once.
        if bounds.upperBound == 7, !halves[0].contains("-"), first < 7 { last = min(last, 6) }
        var mask: UInt64 = 0
        for value in stride(from: first, through: last, by: step) { mask |= 1 << UInt64(value) }
        return mask
    }

    private static let allDays: UInt64 = 0xFFFF_FFFE
    private static let allWeekdays: UInt64 = 0x7F

    /// Whether any date fits: February has no 30th.
    private var hasInstants: Bool {
        if days == Self.allDays || weekdays != Self.allWeekdays { return true }
        for month in 1...12 where months & (1 << UInt64(month)) != 0 {
            // 2000 is a leap year.
            for day in 1...CivilTime.days(inMonth: month, ofYear: 2000)
            where days & (1 << UInt64(day)) != 0 {
                return true
            }
        }
        return false
    }

    private func includes(_ day: Int64) -> Bool {
        let (_, month, dayOfMonth) = CivilTime.date(ofDay: day)
        guard months & (1 << UInt64(month)) != 0 else { return false }
        let hasDay = days & (1 << UInt64(dayOfMonth)) != 0
        let hasWeekday = weekdays & (1 << UInt64(CivilTime.weekday(ofDay: day))) != 0
        if days == Self.allDays || weekdays == Self.allWeekdays { return hasDay && hasWeekday }
        return hasDay || hasWeekday
    }

    /// The next day that is worth a look: of a month that is not allowed none is.
    private func day(behind day: Int64) -> Int64 {
        let (year, month, dayOfMonth) = CivilTime.date(ofDay: day)
        guard months & (1 << UInt64(month)) == 0 else { return day + 1 }
        return day + Int64(CivilTime.days(inMonth: month, ofYear: year) - dayOfMonth + 1)
    }

    /// The first minute of the day from `second` on, in seconds of the day.
    private func time(from second: Int64) -> Int64? {
        var hour = second / 3600
        var minute = (second % 3600 + 59) / 60
        if minute == 60 {
            minute = 0
            hour += 1
        }
        while hour < 24 {
            if hours & (1 << UInt64(hour)) != 0 {
                let rest = minutes >> UInt64(minute)
                if rest != 0 {
                    return hour * 3600 + (minute + Int64(rest.trailingZeroBitCount)) * 60
                }
            }
            hour += 1
            minute = 0
        }
        return nil
    }

    /// The first instant after `seconds`, in seconds since 1970; nil where none comes within years. Only
    /// times less than 139,000 years from 1970 have any.
    public func next(after seconds: Int64) -> Int64? {
        guard seconds < Self.farthest else { return nil }
        var utc = max(seconds, -Self.farthest)
        var daysLeft = Self.mostDays
        for _ in 0..<Self.mostSegments {
            let segment = zone.segment(at: utc)
            // The first minute after it on the wall.
            let local = (utc + segment.offset).floorDivided(by: 60) * 60 + 60
            let limit = segment.end.addingSaturated(segment.offset)
            var day = local.floorDivided(by: CivilTime.secondsOfDay)
            var second = local - day * CivilTime.secondsOfDay
            while day * CivilTime.secondsOfDay < limit, daysLeft > 0 {
                if includes(day), let time = time(from: second) {
                    let found = day * CivilTime.secondsOfDay + time
                    if found < limit { return found - segment.offset }
                    break
                }
                let next = self.day(behind: day)
                daysLeft -= next - day
                day = next
                second = 0
            }
            guard segment.end != .max, daysLeft > 0 else { return nil }
            utc = segment.end
            if let found = minute(beginning: utc, zone.segment(at: utc)) { return found }
        }
        return nil
    }

    /// The instant itself where it begins an allowed minute.
    private func minute(beginning seconds: Int64, _ segment: ZoneClock.Segment) -> Int64? {
        let local = seconds + segment.offset
        let day = local.floorDivided(by: CivilTime.secondsOfDay)
        let second = local - day * CivilTime.secondsOfDay
        guard second % 60 == 0, includes(day), time(from: second) == second else { return nil }
        return seconds
    }

    /// Whether one of the instants is less than `span` ago, and the first later time at which that may
    /// change. All in nanoseconds since 1970.
    func reading(at wall: Int64, lasting span: Int64) -> (value: Bool, due: Int64) {
        let second: Int64 = 1_000_000_000
        let start = wall.subtractingSaturated(span).floorDivided(by: second)
        guard let instant = next(after: start) else { return (false, .max) }
        let nanoseconds = Duration.seconds(instant).nanoseconds
        return nanoseconds <= wall
            ? (true, nanoseconds.addingSaturated(span)) : (false, nanoseconds)
    }
}
