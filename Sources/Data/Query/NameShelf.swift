import FreshetBase

/// What is made of names, kept for whoever asks for the same names again. Any thread.
// SAFETY: `lock` guards `known`.
final class NameShelf<Name: Hashable & Sendable, Made: Sendable>: @unchecked Sendable {
    /// How many are kept; beyond, all are forgotten, and who has one keeps it.
    static var capacity: Int { 1024 }

    private let lock = Lock()
    private var known: [Name: Made] = [:]
    private let make: @Sendable (Name) -> Made

    init(_ make: @escaping @Sendable (Name) -> Made) { self.make = make }

    func callAsFunction(_ name: Name) -> Made {
        lock.withLock {
            if let found = known[name] { return found }
            if known.count == Self.capacity { known.removeAll() }
            let made = make(name)
            known[name] = made
            return made
        }
    }
}

extension MemberFinder {
    // A finder remembers places for 64 shapes, half a KiB. A search has its own, which no other thread
    // writes to; a hundred thousand standing filters ask for the same few properties and share them,
    // which saves most of their memory and keeps what they read for a change in the caches.
    private static let shelf = NameShelf<PropertyPath, MemberFinder> { MemberFinder($0) }

    /// A finder of `path` that others have, too. Any thread.
    package static func shared(_ path: PropertyPath) -> MemberFinder { shelf(path) }
}

extension PropertyPath {
    /// Names that are equal byte by byte: texts are equal that look alike, and members are not.
    private struct Names: Hashable, Sendable {
        let texts: [String]

        static func == (left: Names, right: Names) -> Bool {
            left.texts.count == right.texts.count
                && zip(left.texts, right.texts).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
        }

        func hash(into hasher: inout Hasher) {
            for var text in texts {
                text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
                hasher.combine(0 as UInt8)
            }
        }
    }

    // A path is two allocations and one more for each name; filters name the same few properties.
    private static let shelf = NameShelf<Names, PropertyPath> { PropertyPath($0.texts) }

    /// The path of one or more names, in memory that others have, too. Any thread.
    static func shared(_ names: [String]) -> PropertyPath { shelf(Names(texts: names)) }
}
