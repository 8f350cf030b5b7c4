/// Which pages of a query are held: windows without a gap between them. Pure.
public struct OperationPages: Sendable, Equatable {
    /// `offset` rows are left out, then at most `limit` come.
    public struct Window: Sendable, Equatable {
        public let offset: Int
        public let limit: Int

        public init(offset: Int, limit: Int) {
            self.offset = offset
            self.limit = limit
        }
    }

    public enum Direction: String, Sendable, CaseIterable {
        case next, previous, all
    }

    /// The most pages that are held: a rerun fetches them all.
    public static let mostPages = 1_000

    /// Rows of a page.
    public let size: Int
    private let start: Int
    /// In order.
    public private(set) var windows: [Window] = []
    /// Rows that came of each.
    public private(set) var counts: [Int] = []
    /// Whether each was full as it was served: rows of it may be left out here.
    private var isFull: [Bool] = []

    /// - Parameter start: Where the page begins that is fetched first.
    public init(size: Int, start: Int = 0) {
        self.size = max(size, 1)
        self.start = max(start, 0)
    }

    /// Rows of all pages.
    public var count: Int { counts.reduce(0, +) }

    /// Whether there may be rows behind the last page.
    public var hasNext: Bool {
        isFull.last ?? true
    }

    public var hasPrevious: Bool { (windows.first?.offset ?? 0) > 0 }

    /// What is to be fetched, in order; empty where there is nothing in that direction.
    public func due(_ direction: Direction) -> [Window] {
        switch direction {
        case .next:
            guard hasNext, windows.count < Self.mostPages else { return [] }
            return [
                Window(offset: windows.last.map { $0.offset + $0.limit } ?? start, limit: size)
            ]
        case .previous:
            guard hasPrevious, windows.count < Self.mostPages, let first = windows.first else {
                return []
            }
            let limit = min(size, first.offset)
            return [Window(offset: first.offset - limit, limit: limit)]
        case .all: return windows.isEmpty ? due(.next) : windows
        }
    }

    /// Takes over that `window` has brought so many rows; a window that is held already is
    /// replaced. One that would leave a gap is dropped.
    ///
    /// - Parameter leftOut: Rows of it that were served beside these: what is no entity, or was removed
    ///   here.
    public mutating func take(_ window: Window, rows: Int, leftOut: Int = 0) {
        let isFull = rows + leftOut >= window.limit
        if let place = windows.firstIndex(where: { $0.offset == window.offset }) {
            windows[place] = window
            counts[place] = rows
            self.isFull[place] = isFull
        } else if windows.last.map({ $0.offset + $0.limit == window.offset }) ?? true {
            windows.append(window)
            counts.append(rows)
            self.isFull.append(isFull)
        } else if let first = windows.first, window.offset + window.limit == first.offset {
            windows.insert(window, at: 0)
            counts.insert(rows, at: 0)
            self.isFull.insert(isFull, at: 0)
        }
    }

    /// Forgets the pages.
    public mutating func reset() {
        windows = []
        counts = []
        isFull = []
    }
}
