import FreshetBase
import Testing

@testable import FreshetRefresh

extension CivilTime {
    /// The day of a date, whose month is 1...12; a day of the month beyond its end runs over.
    static func day(ofYear year: Int64, month: Int, day: Int) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted.floorDivided(by: 400)
        let yearOfEra = shifted - era * 400
        let shiftedMonth = Int64(month > 2 ? month - 3 : month + 9)
        let dayOfYear = (153 * shiftedMonth + 2) / 5 + Int64(day) - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}

/// Seconds since 1970 of a UTC time such as `2026-03-29T01:00`.
func utc(_ text: String) -> Int64 {
    let parts = text.split(whereSeparator: { "-T:".contains($0) }).compactMap { Int64($0) }
    let day = CivilTime.day(ofYear: parts[0], month: Int(parts[1]), day: Int(parts[2]))
    return day * 86_400 + parts[3] * 3_600 + parts[4] * 60
}

@Suite("Calendars")
struct CalendarTests {
    /// Berlin is at +1, and at +2 from 2026-03-29T01:00Z to 2026-10-25T01:00Z.
    static func berlin() throws -> ZoneClock { try #require(ZoneClock.named("Europe/Berlin")) }

    static func hour(_ hour: Int, _ minute: Int = 0) -> Int { hour * 3_600 + minute * 60 }

    @Test("Dates and weekdays by arithmetic are those of the calendar")
    func civil() {
        for (text, weekday) in [
            ("1970-01-01T00:00", 4), ("2000-02-29T00:00", 2), ("2026-11-21T00:00", 6),
            ("2100-03-01T00:00", 1), ("1969-12-31T00:00", 3),
        ] {
            let day = utc(text).floorDivided(by: 86_400)
            #expect(CivilTime.weekday(ofDay: day) == weekday, "\(text)")
            let date = CivilTime.date(ofDay: day)
            #expect(CivilTime.day(ofYear: date.year, month: date.month, day: date.day) == day)
        }
        for day in stride(from: Int64(-800_000), through: 800_000, by: 37) {
            let date = CivilTime.date(ofDay: day)
            #expect(CivilTime.day(ofYear: date.year, month: date.month, day: date.day) == day)
        }
    }

    @Test("Zones: known ones have their changes, others are not there")
    func zones() throws {
        let berlin = try Self.berlin()
        #expect(berlin.segment(at: utc("2026-01-01T00:00")).offset == 3_600)
        #expect(berlin.segment(at: utc("2026-01-01T00:00")).end == utc("2026-03-29T01:00"))
        #expect(berlin.segment(at: utc("2026-03-29T01:00")).offset == 7_200)
        #expect(berlin.segment(at: utc("2026-10-25T00:59")).end == utc("2026-10-25T01:00"))
        let kolkata = try #require(ZoneClock.named("Asia/Kolkata"))
        #expect(kolkata.segment(at: utc("2026-06-01T00:00")).offset == 19_800)
        let lordHowe = try #require(ZoneClock.named("Australia/Lord_Howe"))
        #expect(
            abs(
                lordHowe.segment(at: utc("2026-01-01T00:00")).offset
                    - lordHowe.segment(at: utc("2026-07-01T00:00")).offset) == 1_800)
        for name in ["", "Mars/Base", "Berlin", "CEST", "GMT+3", "+01:00", "Europe/berlin x"] {
            #expect(ZoneClock.named(name) == nil, "\(name)")
        }
    }

    /// All instants at which the window turns from `start` on, found by asking for the next each time.
    private func turns(
        _ read: (Int64) -> (value: Bool, turn: Int64?), from start: Int64, to end: Int64
    ) -> [Int64] {
        var turns: [Int64] = []
        var value = read(start).value
        var at = start
        while let next = read(at).turn, next < end {
            #expect(next > at)
            at = next
            if read(at).value != value {
                value.toggle()
                turns.append(at)
            }
        }
        return turns
    }

    @Test("A window of working hours turns twice a day, whatever the season")
    func workingHours() throws {
        let window = CalendarWindow(
            days: 0b011_1110, from: Self.hour(8), to: Self.hour(18), zone: try Self.berlin())
        #expect(
            turns(window.reading, from: utc("2026-03-27T00:00"), to: utc("2026-03-31T00:00")) == [
                utc("2026-03-27T07:00"), utc("2026-03-27T17:00"),
                utc("2026-03-30T06:00"), utc("2026-03-30T16:00"),
            ])
    }

    @Test("A window over midnight belongs to the day on which it begins")
    func overMidnight() {
        // Fridays from 22:00 to 02:00.
        let window = CalendarWindow(days: 0b010_0000, from: Self.hour(22), to: Self.hour(2))
        #expect(
            turns(window.reading, from: utc("2026-11-19T00:00"), to: utc("2026-11-24T00:00")) == [
                utc("2026-11-20T22:00"), utc("2026-11-21T02:00"),
            ])
        // Friday at one is Thursday's night.
        #expect(!window.reading(at: utc("2026-11-20T01:00")).value)
        #expect(window.reading(at: utc("2026-11-21T01:00")).value)
    }

    @Test("Equal ends are the whole day, and so is midnight to 24:00")
    func wholeDay() {
        for window in [
            CalendarWindow(days: 0b100_0000, from: Self.hour(9), to: Self.hour(9)),
            CalendarWindow(days: 0b100_0000, from: 0, to: 86_400),
        ] {
            #expect(
                turns(window.reading, from: utc("2026-11-18T00:00"), to: utc("2026-11-25T00:00"))
                    == [utc("2026-11-21T00:00"), utc("2026-11-22T00:00")])
        }
        let evening = CalendarWindow(from: Self.hour(20), to: 86_400)
        #expect(evening.reading(at: utc("2026-11-21T23:59")).value)
        #expect(!evening.reading(at: utc("2026-11-21T00:00")).value)
    }

    @Test("A repeated hour is in the window twice, a skipped one not at all")
    func daylight() throws {
        let window = CalendarWindow(
            from: Self.hour(2), to: Self.hour(3), zone: try Self.berlin())
        #expect(
            turns(window.reading, from: utc("2026-10-24T12:00"), to: utc("2026-10-25T12:00")) == [
                utc("2026-10-25T00:00"), utc("2026-10-25T02:00"),
            ])
        #expect(
            turns(window.reading, from: utc("2026-03-28T12:00"), to: utc("2026-03-29T12:00")) == [])
        let half = CalendarWindow(
            from: Self.hour(2, 30), to: Self.hour(2, 45), zone: try Self.berlin())
        #expect(
            turns(half.reading, from: utc("2026-10-24T12:00"), to: utc("2026-10-25T12:00")) == [
                utc("2026-10-25T00:30"), utc("2026-10-25T00:45"), utc("2026-10-25T01:30"),
                utc("2026-10-25T01:45"),
            ])
    }

    @Test("A span between two instants turns at both")
    func between() {
        let (start, end) = (utc("2026-12-24T18:00") * 1_000 + 250, utc("2026-12-26T00:00") * 1_000)
        let span = CalendarSpan.instants(from: start, to: end)
        #expect(
            turns(
                span.reading, from: utc("2026-11-01T00:00") * 1_000,
                to: utc("2027-11-01T00:00") * 1_000) == [start, end])
        #expect(span.reading(at: start - 1) == (false, start))
        #expect(CalendarSpan.instants(from: nil, to: 5).reading(at: 4) == (true, 5))
        #expect(CalendarSpan.instants(from: 5, to: nil).reading(at: 5) == (true, nil))
    }

    private func instants(
        _ text: String, _ zone: ZoneClock = .utc, from start: String, count: Int
    ) throws -> [Int64] {
        let schedule = try CronSchedule(text, zone: zone)
        var found: [Int64] = []
        var at = utc(start)
        while found.count < count, let next = schedule.next(after: at) {
            found.append(next)
            at = next
        }
        return found
    }

    @Test("A step from a weekday ends on Saturday: Sunday is a week's first day")
    func weekdaySteps() throws {
        #expect(
            try instants("0 0 * * 5/2", from: "2026-11-20T10:00", count: 2) == [
                utc("2026-11-27T00:00"), utc("2026-12-04T00:00"),
            ])
        #expect(
            try instants("0 0 * * 1/3", from: "2026-11-20T10:00", count: 3) == [
                utc("2026-11-23T00:00"), utc("2026-11-26T00:00"), utc("2026-11-30T00:00"),
            ])
        #expect(
            try instants("0 0 * * 7", from: "2026-11-20T10:00", count: 1) == [
                utc("2026-11-22T00:00")
            ])
    }

    @Test("Cron instants: steps, lists, names, ends of months, either of day and weekday")
    func cron() throws {
        #expect(
            try instants("*/20 9-10 * * mon-fri", from: "2026-11-20T10:00", count: 4) == [
                utc("2026-11-20T10:20"), utc("2026-11-20T10:40"), utc("2026-11-23T09:00"),
                utc("2026-11-23T09:20"),
            ])
        #expect(
            try instants("0 0 31 * *", from: "2026-11-21T00:00", count: 3) == [
                utc("2026-12-31T00:00"), utc("2027-01-31T00:00"), utc("2027-03-31T00:00"),
            ])
        #expect(
            try instants("30 4 1,15 * 5", from: "2026-11-21T00:00", count: 4) == [
                utc("2026-11-27T04:30"), utc("2026-12-01T04:30"), utc("2026-12-04T04:30"),
                utc("2026-12-11T04:30"),
            ])
        #expect(
            try instants("0 12 29 feb *", from: "2026-01-01T00:00", count: 2) == [
                utc("2028-02-29T12:00"), utc("2032-02-29T12:00"),
            ])
        // 2100 is no leap year; months that are not allowed are passed over whole.
        #expect(
            try instants("0 12 29 feb *", from: "2096-02-29T12:00", count: 1) == [
                utc("2104-02-29T12:00")
            ])
        #expect(
            try instants("0 0 31 dec,jan *", from: "2026-02-28T23:59", count: 3) == [
                utc("2026-12-31T00:00"), utc("2027-01-31T00:00"), utc("2027-12-31T00:00"),
            ])
        #expect(
            try instants("0 0 * * 7", from: "2026-11-21T00:00", count: 1)
                == instants("0 0 * * sun", from: "2026-11-21T00:00", count: 1))
        for text in [
            "", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *",
            "* * * * 8", "5-1 * * * *", "*/0 * * * *", "1/ * * * *", "a * * * *", "1,,2 * * * *",
            "-1 * * * *", "* * 31 2,4,6 *", "1-2-3 * * * *", "*/2/3 * * * *", "٣ * * * *",
        ] {
            #expect(throws: CronSchedule.Fault.self, "\(text)") { try CronSchedule(text) }
        }
    }

    @Test("A minute that the wall clock shows twice comes twice, a skipped one does not come")
    func cronDaylight() throws {
        let berlin = try Self.berlin()
        #expect(
            try instants("30 2 * * *", berlin, from: "2026-03-28T00:00", count: 2) == [
                utc("2026-03-28T01:30"), utc("2026-03-30T00:30"),
            ])
        #expect(
            try instants("30 2 * * *", berlin, from: "2026-10-24T12:00", count: 3) == [
                utc("2026-10-25T00:30"), utc("2026-10-25T01:30"), utc("2026-10-26T01:30"),
            ])
        // The first minute behind the change.
        #expect(
            try instants("0 3 29 3 *", berlin, from: "2026-03-28T00:00", count: 1) == [
                utc("2026-03-29T01:00")
            ])
        #expect(
            try instants("0 * * * *", berlin, from: "2026-03-29T00:00", count: 2) == [
                utc("2026-03-29T01:00"), utc("2026-03-29T02:00"),
            ])
    }

    @Test("A cron condition holds for its time from each instant on")
    func cronReading() throws {
        let second: Int64 = 1_000_000_000
        let schedule = try CronSchedule("0 3 * * *")
        let start = utc("2026-11-21T03:00") * second
        let minute = 60 * second
        #expect(schedule.reading(at: start - 1, lasting: minute) == (false, start))
        #expect(schedule.reading(at: start, lasting: minute) == (true, start + minute))
        #expect(schedule.reading(at: start + minute - 1, lasting: minute).value)
        #expect(!schedule.reading(at: start + minute, lasting: minute).value)
        let always = try CronSchedule("* * * * *")
        for offset in stride(from: 0, to: 180 * second, by: Int(second / 2)) {
            #expect(always.reading(at: start + Int64(offset), lasting: minute).value)
        }
    }

    @Test("Random windows and schedules agree with a look at every minute")
    func random() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("calendars: seed \(seed)")
        var random = SplitMix(seed: seed)
        let names = [
            "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "UTC",
        ]
        let changes = [
            "2026-03-28T20:00", "2026-10-24T20:00", "2026-03-07T20:00", "2026-04-04T06:00",
        ]
        for _ in 0..<40 {
            let zone = try #require(ZoneClock.named(names[Int.random(in: 0..<5, using: &random)]))
            let start = utc(changes[Int.random(in: 0..<4, using: &random)])
            let window = CalendarWindow(
                days: UInt8.random(in: 1...127, using: &random),
                from: Int.random(in: 0..<96, using: &random) * 900,
                to: Int.random(in: 0...96, using: &random) * 900, zone: zone)
            let (minuteOfHour, hour) = (
                Int.random(in: 0..<60, using: &random), Int.random(in: 0..<5, using: &random)
            )
            let schedule = try CronSchedule("\(minuteOfHour) \(hour) * * *", zone: zone)
            var turn = window.reading(at: start).turn ?? .max
            var value = window.reading(at: start).value
            for minute in 0..<(40 * 60) {
                let at = start + Int64(minute * 60)
                // The oracle reads the wall.
                let local = at + zone.segment(at: at).offset
                let day = local.floorDivided(by: 86_400)
                let second = Int(local - day * 86_400)
                func has(_ day: Int64) -> Bool {
                    window.days & (1 << UInt8(CivilTime.weekday(ofDay: day))) != 0
                }
                let expected: Bool
                if window.start == window.end {
                    expected = has(day)
                } else if window.start < window.end {
                    expected = has(day) && (window.start..<window.end).contains(second)
                } else {
                    expected =
                        second >= window.start ? has(day) : second < window.end && has(day - 1)
                }
                if at >= turn {
                    let reading = window.reading(at: turn)
                    value = reading.value
                    turn = reading.turn ?? .max
                }
                #expect(value == expected)
                #expect(window.reading(at: at).value == expected)
                let isInstant = second == hour * 3_600 + minuteOfHour * 60
                #expect((schedule.next(after: at - 1) == at) == isInstant)
            }
        }
    }
}

/// The generator of Steele, Lea and Flood, so that a seed gives the same test again.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
