import FreshetBase

/// Days, weekdays and dates of the proleptic Gregorian calendar by arithmetic; the algorithms are
/// Howard Hinnant's (chrono-compatible low-level date algorithms).
enum CivilTime {
    static let secondsOfDay: Int64 = 86_400

    /// 0 is Sunday. Day 0 is 1970-01-01, a Thursday.
    static func weekday(ofDay day: Int64) -> Int {
        let rest = (day + 4) % 7
        return Int(rest < 0 ? rest + 7 : rest)
    }

    static func date(ofDay day: Int64) -> (year: Int64, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = shifted.floorDivided(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = Int(shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9)
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
            Int(dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
        )
    }

    static func days(inMonth month: Int, ofYear year: Int64) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2
            ? (isLeap ? 29 : 28) : [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }
}
