import Foundation
import FreshetBase

/// The wall clock of one time zone: how far it is from UTC, and until when.
///
/// Foundation answers both from its time zone data; what it said is kept, since specifications ask
/// for the same few spans again and again. The zones of a process are few: the known ones.
// SAFETY: all mutable state is read and written under the `lock` of the table of zones.
public final class ZoneClock: Hashable, @unchecked Sendable {
    /// A span in which the wall clock runs evenly; seconds since 1970.
    struct Segment: Equatable {
        /// Known to hold from here on; it may have begun before.
        var start: Int64
        /// The instant of the next change; `Int64.max` for none.
        var end: Int64
        /// Seconds east of UTC.
        var offset: Int64
    }

    private static let table = Table()

    public let identifier: String
    private let zone: TimeZone
    private var segments: [Segment] = []
    private static let mostSegments = 64

    private init(_ identifier: String, _ zone: TimeZone) {
        self.identifier = identifier
        self.zone = zone
    }

    public static let utc = ZoneClock("UTC", .gmt)

    /// The zone that the IANA database has under the name; nil for anything else.
    public static func named(_ identifier: String) -> ZoneClock? {
        if ["UTC", "GMT", "Etc/UTC", "Z"].contains(identifier) { return utc }
        return table.zone(identifier) {
            // Foundation also knows abbreviations and offsets, which say nothing about daylight.
            guard
                identifier.contains("/") || TimeZone.knownTimeZoneIdentifiers.contains(identifier),
                identifier.utf8.count <= 64, let zone = TimeZone(identifier: identifier)
            else { return nil }
            return ZoneClock(identifier, zone)
        }
    }

    /// The even span that the instant lies in.
    func segment(at seconds: Int64) -> Segment {
        if self === Self.utc { return Segment(start: .min, end: .max, offset: 0) }
        if let known = Self.table.lock.withLock({ known(at: seconds) }) { return known }
        let date = Date(timeIntervalSince1970: Double(seconds))
        let offset = Int64(zone.secondsFromGMT(for: date))
        // Foundation looks for a change of daylight saving; a change of the standard time counts too.
        let change = zone.nextDaylightSavingTimeTransition(after: date)
        let found = Segment(
            start: seconds,
            end: change.map { max(seconds + 1, Int64($0.timeIntervalSince1970)) } ?? .max,
            offset: offset)
        Self.table.lock.withLock {
            if let index = segments.firstIndex(where: {
                $0.end == found.end && $0.offset == offset
            }) {
                segments[index].start = min(segments[index].start, seconds)
            } else {
                if segments.count >= Self.mostSegments { segments.removeFirst() }
                segments.append(found)
            }
        }
        return found
    }

    private func known(at seconds: Int64) -> Segment? {
        for segment in segments where segment.start <= seconds && seconds < segment.end {
            return segment
        }
        return nil
    }

    public static func == (left: ZoneClock, right: ZoneClock) -> Bool {
        left.identifier == right.identifier
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(identifier)
    }

    /// The zones that were asked for.
    // SAFETY: the one variable is read and written under `lock`.
    private final class Table: @unchecked Sendable {
        fileprivate let lock = Lock()
        private var zones: [String: ZoneClock] = [:]

        func zone(_ identifier: String, make: () -> ZoneClock?) -> ZoneClock? {
            if let zone = lock.withLock({ zones[identifier] }) { return zone }
            guard let made = make() else { return nil }
            return lock.withLock {
                if let zone = zones[identifier] { return zone }
                zones[identifier] = made
                return made
            }
        }
    }
}

extension ZoneClock {
    /// The instant at which the wall clock shows `local`, seconds since 1970 as if it were UTC: the
    /// first of two, and the change itself for what it skips.
    package func instant(ofLocal local: Int64) -> Int64 {
        // No offset is a day or more.
        var utc = local.subtractingSaturated(86_400)
        for _ in 0..<8 {
            let segment = segment(at: utc)
            let candidate = max(utc, local.subtractingSaturated(segment.offset))
            if candidate < segment.end { return candidate }
            utc = segment.end
        }
        return utc
    }
}
