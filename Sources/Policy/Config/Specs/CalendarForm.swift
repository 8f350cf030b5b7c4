import FreshetBase
import FreshetCore
import FreshetJSON
import FreshetRefresh

/// The members of windows and spans as they are given.
private struct CalendarMembers: Sendable {
    var days: UInt8?
    var from: Int?
    var to: Int?
    var zone = ZoneClock.utc
}

extension CalendarWindow {
    /// `{"days","from","to","tz"}`.
    static let form = ObjectTable<CalendarMembers>(
        [
            Member("days", "as `mon-fri`", weekdays, to: \.days),
            Member("from", "as `08:00`", time, to: \.from),
            Member("to", "as `18:00`", time, to: \.to),
            Member(
                "tz", "the time zone, as `Europe/Berlin`", ZoneClock.form,
                to: \.zone),
        ], or: "an object with \"days\", \"from\", \"to\" and \"tz\""
    ) { _, given, place, reading in
        if given["days"] == nil, given["from"] == nil, given["to"] == nil {
            reading.expected("\"days\", or \"from\" and \"to\"", at: place)
        }
    }.form(.init()).map { members in
        CalendarWindow(
            days: members.days ?? everyDay, from: members.from ?? 0, to: members.to ?? 86_400,
            zone: members.zone)
    }

    private static let time = Form<Int>(
        Form.text().schema, or: "a time of the day such as \"08:30\", to \"24:00\""
    ) { $0.stringValue.flatMap(CalendarText.secondOfDay) }

    /// A list of days and of spans of them, or a text with commas.
    private static let weekdays = Form<UInt8>(
        ["type": ["string", "array"], "items": Form.text().schema]
    ) { value, place, reading in
        let parts: [(text: String?, place: JSONPointer)] =
            value.arrayValue.map { list in
                list.enumerated().map { ($1.stringValue, place.appending($0)) }
            } ?? (value.stringValue ?? "").split(separator: ",").map { (String($0), place) }
        let expectation = "days such as \"mon\", \"mon-fri\" or a list of them"
        if parts.isEmpty { reading.expected(expectation, at: place) }
        return parts.reduce(into: 0) { mask, part in
            if let bits = part.text.flatMap(CalendarText.dayBits) {
                mask |= bits
            } else {
                reading.expected(expectation, at: part.place)
            }
        }
    }
}

extension CalendarSpan {
    private struct Members: Sendable {
        var zone = ZoneClock.utc
        var span: CalendarSpan?
    }

    /// `{"from","to"}`: two instants, or two times of every day. What they are together they say
    /// together, so the rule reads both.
    static let form = ObjectTable<Members>(
        [
            Member("from", schema: text.described("the first, as `2026-07-01T08:00`")) {
                _, _, _, _ in
            },
            Member("to", schema: text.described("the second")) { _, _, _, _ in },
            Member("tz", "their time zone", ZoneClock.form, to: \.zone),
        ], or: "an object with \"from\" and \"to\""
    ) { members, given, place, reading in
        let (start, end) = (given["from"], given["to"])
        guard start != nil || end != nil else {
            reading.expected("\"from\", \"to\", or both", at: place)
            return
        }
        let seconds = [start, end].map { $0?.stringValue.flatMap(CalendarText.secondOfDay) }
        if (start == nil || seconds[0] != nil) && (end == nil || seconds[1] != nil) {
            members.span = .daily(
                CalendarWindow(
                    from: seconds[0] ?? 0, to: seconds[1] ?? 86_400, zone: members.zone))
            return
        }
        let instants = ["from", "to"].map { name in
            given[name].flatMap { value in
                instant(value, members.zone, at: place.appending(name), &reading)
            }
        }
        if let from = instants[0], let to = instants[1], from >= to {
            reading.expected("an instant after \"from\"", at: place.appending("to"))
        }
        members.span = .instants(from: instants[0], to: instants[1])
    }.form(.init()).map(\.span)

    private static let text = Form.text().schema

    /// RFC 3339, or a date or a date and time of `zone` without an offset.
    private static func instant(
        _ value: JSONValue, _ zone: ZoneClock, at place: JSONPointer, _ reading: inout Reading
    ) -> Int64? {
        let found = value.stringValue.flatMap { CalendarText.instant($0, zone) }
        if found == nil {
            reading.expected(
                "an instant such as \"2026-12-24T18:00:00Z\", a date, or with the other a time of"
                    + " the day such as \"08:30\"", at: place)
        }
        return found
    }
}

extension CronSchedule {
    /// A schedule, and how long each of its instants lasts.
    struct Span: Sendable {
        var expression = ""
        var zone = ZoneClock.utc
        var span = Duration.seconds(60)
        var schedule: CronSchedule?
    }

    /// The form of a schedule in a specification.
    static let spans = form(zone: "the time zone", lasting: "for how long")
        .map { span in span.schedule.map { (schedule: $0, span: span.span) } }

    /// `"expr"` or `{"expr","tz","for"}`.
    static func form(zone: String, lasting: String) -> Form<Span> {
        let object = ObjectTable<Span>(
            [
                Member(
                    "expr", "minute, hour, day, month, weekday",
                    .init(text, or: expectation) { $0.stringValue },
                    required: .value(expectation), to: \.expression),
                Member("tz", zone, ZoneClock.form, to: \.zone),
                Member(
                    "for", lasting,
                    Form.duration.narrowed(or: SpecDuration.expectation) { $0 > .zero ? $0 : nil },
                    to: \.span),
            ], or: "a cron expression, or an object with \"expr\", \"tz\" and \"for\""
        ) { span, given, place, reading in
            if given["expr"]?.stringValue != nil {
                span.schedule = schedule(of: span, at: place.appending("expr"), &reading)
            }
        }.form(Span())
        let alone = Form<Span>(text) { value, place, reading in
            var span = Span(expression: value.stringValue ?? "")
            span.schedule = schedule(of: span, at: place, &reading)
            return span
        }
        return alone.orObject(object)
    }

    private static let text = Form.text().schema
    private static let expectation = "a cron expression such as \"0 3 * * mon-fri\""

    private static func schedule(
        of span: Span, at place: JSONPointer, _ reading: inout Reading
    ) -> CronSchedule? {
        do { return try CronSchedule(span.expression, zone: span.zone) } catch {
            reading.expected(error.expected, at: place)
            return nil
        }
    }
}

extension ZoneClock {
    /// The name of a time zone.
    fileprivate static let form = Form<ZoneClock>(
        Form.text().schema, or: "a time zone such as \"Europe/Berlin\"",
        write: { .string($0.identifier) }
    ) { $0.stringValue.flatMap(ZoneClock.named) }
}

/// The texts of days, times and instants.
enum CalendarText {
    private static let shortNames = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
    private static let names = [
        "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    ]

    /// `mon`, `monday`, `mon-fri`, `fri-mon`.
    static func dayBits(_ text: String) -> UInt8? {
        func day(_ text: Substring) -> Int? {
            let word = text.lowercased().filter { $0 != " " }
            return shortNames.firstIndex(of: word) ?? names.firstIndex(of: word)
        }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count <= 2, let first = day(ends[0]) else { return nil }
        guard ends.count == 2 else { return 1 << UInt8(first) }
        guard let last = day(ends[1]) else { return nil }
        var mask: UInt8 = 0
        var index = first
        while true {
            mask |= 1 << UInt8(index)
            if index == last { return mask }
            index = (index + 1) % 7
        }
    }

    /// `HH:MM` or `HH:MM:SS`, to `24:00`.
    static func secondOfDay(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3 else { return nil }
        var numbers: [Int] = []
        for part in parts {
            guard part.utf8.count == 2, part.utf8.allSatisfy({ $0 &- 0x30 <= 9 }),
                let number = Int(part)
            else { return nil }
            numbers.append(number)
        }
        let second = numbers[0] * 3600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
        guard numbers[1] < 60, numbers.count == 2 || numbers[2] < 60, second <= 86_400 else {
            return nil
        }
        return second
    }

    /// Milliseconds since 1970.
    static func instant(_ text: String, _ zone: ZoneClock) -> Int64? {
        if let time = WallTime(rfc3339: text) { return time.milliseconds }
        let complete = text.utf8.count == 10 ? text + "T00:00:00Z" : text + "Z"
        guard let local = WallTime(rfc3339: complete)?.milliseconds else { return nil }
        let second = local.floorDivided(by: 1_000)
        return zone.instant(ofLocal: second) * 1_000 + local - second * 1_000
    }
}
