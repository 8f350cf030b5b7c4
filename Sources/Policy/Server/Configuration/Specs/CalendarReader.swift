import FreshetBase
import FreshetCore
import FreshetJSON
import FreshetOperations

/// Reads windows, spans and cron expressions.
struct CalendarReader {
    var faults: [SchemaFault] = []

    private static let days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
    private static let dayExpectation =
        "days such as \"mon\", \"mon-fri\" or a list of them"

    /// `{"days","from","to","tz"}`.
    mutating func window(_ value: JSONValue, at pointer: JSONPointer) -> CalendarWindow? {
        let before = faults.count
        guard var reader = reader(value, pointer, "\"days\", \"from\", \"to\" and \"tz\"") else {
            return nil
        }
        let days = reader.value("days").map { self.days($0, at: pointer.appending("days")) }
        let start = reader.value("from")
        let end = reader.value("to")
        let zone = zone(&reader)
        reader.finish(faults: &faults)
        if days == nil, start == nil, end == nil {
            faults.expected("\"days\", or \"from\" and \"to\"", at: pointer)
        }
        let from = start.flatMap { time($0, at: pointer.appending("from")) } ?? 0
        let to = end.flatMap { time($0, at: pointer.appending("to")) } ?? 86_400
        guard faults.count == before, let zone else { return nil }
        return CalendarWindow(days: days ?? CalendarWindow.everyDay, from: from, to: to, zone: zone)
    }

    /// `{"from","to"}`: two instants, or two times of every day.
    mutating func between(_ value: JSONValue, at pointer: JSONPointer) -> CalendarSpan? {
        let before = faults.count
        guard var reader = reader(value, pointer, "\"from\" and \"to\"") else { return nil }
        let start = reader.value("from")
        let end = reader.value("to")
        let zone = zone(&reader)
        reader.finish(faults: &faults)
        guard start != nil || end != nil else {
            faults.expected("\"from\", \"to\", or both", at: pointer)
            return nil
        }
        let isDaily = [start, end].compactMap(\.self).allSatisfy {
            $0.stringValue.flatMap(Self.secondOfDay) != nil
        }
        if isDaily {
            guard let zone, faults.count == before else { return nil }
            let from = start?.stringValue.flatMap(Self.secondOfDay) ?? 0
            let to = end?.stringValue.flatMap(Self.secondOfDay) ?? 86_400
            return .daily(CalendarWindow(from: from, to: to, zone: zone))
        }
        let from = start.flatMap { instant($0, zone, at: pointer.appending("from")) }
        let to = end.flatMap { instant($0, zone, at: pointer.appending("to")) }
        guard faults.count == before else { return nil }
        if let from, let to, from >= to {
            faults.expected("an instant after \"from\"", at: pointer.appending("to"))
            return nil
        }
        return .instants(from: from, to: to)
    }

    /// `"expr"` or `{"expr","tz","for"}`.
    mutating func cron(
        _ value: JSONValue, at pointer: JSONPointer
    ) -> (schedule: CronSchedule, span: Duration)? {
        let before = faults.count
        if let text = value.stringValue {
            return schedule(text, .utc, at: pointer).map { ($0, .seconds(60)) }
        }
        guard
            var reader = reader(
                value, pointer, "a cron expression, or an object with \"expr\", \"tz\" and \"for\"")
        else { return nil }
        let expression = reader.value("expr")
        let zone = zone(&reader)
        var span = Duration.seconds(60)
        if let text = reader.value("for") {
            if let time = SpecDuration.parse(text.stringValue ?? ""), time > .zero {
                span = time
            } else {
                faults.expected(SpecDuration.expectation, at: pointer.appending("for"))
            }
        }
        reader.finish(faults: &faults)
        let place = pointer.appending("expr")
        guard let text = expression?.stringValue else {
            faults.expected("a cron expression such as \"0 3 * * mon-fri\"", at: place)
            return nil
        }
        guard let zone, let schedule = schedule(text, zone, at: place), faults.count == before
        else { return nil }
        return (schedule, span)
    }

    private mutating func schedule(
        _ text: String, _ zone: ZoneClock, at pointer: JSONPointer
    ) -> CronSchedule? {
        do { return try CronSchedule(text, zone: zone) } catch {
            faults.expected(error.expected, at: pointer)
            return nil
        }
    }

    // MARK: Parts

    private mutating func reader(
        _ value: JSONValue, _ pointer: JSONPointer, _ what: String
    ) -> MemberReader? {
        guard value.objectValue != nil else {
            faults.expected(
                what.hasPrefix("a ") ? what : "an object with \(what)", at: pointer)
            return nil
        }
        return MemberReader(value, at: pointer, faults: &faults)
    }

    /// UTC where nothing is said; nil, and a fault, where the zone is not known.
    private mutating func zone(_ reader: inout MemberReader) -> ZoneClock? {
        guard let value = reader.value("tz") else { return .utc }
        guard let zone = value.stringValue.flatMap(ZoneClock.named) else {
            faults.expected(
                "a time zone such as \"Europe/Berlin\"", at: reader.pointer.appending("tz"))
            return nil
        }
        return zone
    }

    private mutating func days(_ value: JSONValue, at pointer: JSONPointer) -> UInt8 {
        let parts: [(text: String?, place: JSONPointer)] =
            value.arrayValue.map { list in
                list.enumerated().map { ($1.stringValue, pointer.appending($0)) }
            } ?? (value.stringValue ?? "").split(separator: ",").map { (String($0), pointer) }
        var mask: UInt8 = 0
        if parts.isEmpty { faults.expected(Self.dayExpectation, at: pointer) }
        for part in parts {
            guard let bits = part.text.flatMap(Self.dayBits) else {
                faults.expected(Self.dayExpectation, at: part.place)
                continue
            }
            mask |= bits
        }
        return mask
    }

    /// `mon`, `monday`, `mon-fri`, `fri-mon`.
    static func dayBits(_ text: String) -> UInt8? {
        func day(_ text: Substring) -> Int? {
            let word = text.lowercased().filter { $0 != " " }
            let names = [
                "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
            ]
            return days.firstIndex(of: word) ?? names.firstIndex(of: word)
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

    private mutating func time(_ value: JSONValue, at pointer: JSONPointer) -> Int? {
        guard let second = value.stringValue.flatMap(Self.secondOfDay) else {
            faults.expected("a time of the day such as \"08:30\", to \"24:00\"", at: pointer)
            return nil
        }
        return second
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

    /// RFC 3339, or a date or a date and time of `zone` without an offset.
    private mutating func instant(
        _ value: JSONValue, _ zone: ZoneClock?, at pointer: JSONPointer
    ) -> Int64? {
        guard let text = value.stringValue, let seconds = Self.instant(text, zone ?? .utc) else {
            faults.expected(
                "an instant such as \"2026-12-24T18:00:00Z\", a date, or with the other a time of the"
                    + " day such as \"08:30\"", at: pointer)
            return nil
        }
        return seconds
    }

    static func instant(_ text: String, _ zone: ZoneClock) -> Int64? {
        if let time = WallTime(rfc3339: text) { return time.milliseconds.floorSeconds }
        let complete = text.utf8.count == 10 ? text + "T00:00:00Z" : text + "Z"
        guard let time = WallTime(rfc3339: complete) else { return nil }
        return zone.instant(ofLocal: time.milliseconds.floorSeconds)
    }
}

extension Int64 {
    fileprivate var floorSeconds: Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: 1000)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
