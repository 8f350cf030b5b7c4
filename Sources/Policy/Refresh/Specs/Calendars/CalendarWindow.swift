import FreshetBase

/// A part of the day on some days of the week, as the wall clock of a zone shows it.
///
/// What the wall clock shows twice is in the window twice, what it skips is not in it. A window over
/// midnight belongs to the day on which it begins; one whose ends are equal is the whole day.
public struct CalendarWindow: Hashable, Sendable {
    /// Bit 0 is Sunday.
    public let days: UInt8
    /// Seconds of the day, 0...86,400; `end` is the first that does not belong to it.
    public let start: Int
    public let end: Int
    public let zone: ZoneClock

    public static let everyDay: UInt8 = 0b111_1111

    public init(
        days: UInt8 = everyDay, from start: Int, to end: Int, zone: ZoneClock = .utc
    ) {
        self.days = days & Self.everyDay
        // 24:00 is the midnight that follows, so 00:00 to 24:00 is the whole day.
        self.start = start % 86_400
        self.end = end == 86_400 && start % 86_400 == 0 ? 0 : end
        self.zone = zone
    }

    private func includes(_ day: Int64) -> Bool {
        days & (1 << UInt8(CivilTime.weekday(ofDay: day))) != 0
    }

    /// Whether the instant lies in the window, and the first later second at which that may change.
    func reading(at seconds: Int64) -> (value: Bool, turn: Int64?) {
        let segment = zone.segment(at: seconds)
        let local = seconds + segment.offset
        let day = local.floorDivided(by: CivilTime.secondsOfDay)
        let second = Int(local - day * CivilTime.secondsOfDay)
        let value =
            if start == end {
                includes(day)
            } else if start < end {
                second >= start && second < end && includes(day)
            } else {
                second >= start && includes(day) || second < end && includes(day - 1)
            }
        let next =
            [start, end, 86_400].filter { $0 > second }.min() ?? 86_400
        return (
            value, min(day * CivilTime.secondsOfDay + Int64(next) - segment.offset, segment.end)
        )
    }
}

/// A span between two instants, or a part of every day.
public enum CalendarSpan: Hashable, Sendable {
    /// Milliseconds since 1970; `end` is the first that does not belong to it. nil: without that bound.
    case instants(from: Int64?, to: Int64?)
    case daily(CalendarWindow)

    /// Whether the instant lies in it, and the first later millisecond at which that may change.
    func reading(at milliseconds: Int64) -> (value: Bool, turn: Int64?) {
        switch self {
        case .daily(let window):
            let (value, turn) = window.reading(at: milliseconds.floorDivided(by: 1_000))
            return (value, turn.map { $0 * 1_000 })
        case .instants(let start, let end):
            let value = milliseconds >= start ?? .min && milliseconds < end ?? .max
            return (value, [start, end].compactMap(\.self).filter { $0 > milliseconds }.min())
        }
    }
}
