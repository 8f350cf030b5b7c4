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
    private var pages: [Page] = []

    /// One that is held.
    private struct Page: Sendable, Equatable {
        let window: Window
        /// Rows that came of it.
        let rows: Int
        /// It was full as it was served: rows of it may be left out here.
        let isFull: Bool
    }

    /// - Parameter start: Where the page begins that is fetched first.
    public init(size: Int, start: Int = 0) {
        self.size = max(size, 1)
        self.start = max(start, 0)
    }

    /// Windows of the pages that are held, in order.
    public var windows: [Window] { pages.map(\.window) }

    /// Rows that came of each.
    public var counts: [Int] { pages.map(\.rows) }

    /// Rows of all pages.
    public var count: Int { pages.reduce(0) { $0 + $1.rows } }

    /// Whether there may be rows behind the last page.
    public var hasNext: Bool { pages.last?.isFull ?? true }

    public var hasPrevious: Bool { (pages.first?.window.offset ?? 0) > 0 }

    /// What is to be fetched, in order; empty where there is nothing in that direction.
    public func due(_ direction: Direction) -> [Window] {
        switch direction {
        case .next:
            guard hasNext, pages.count < Self.mostPages else { return [] }
            let last = pages.last?.window
            return [
                Window(offset: last.map { $0.offset + $0.limit } ?? start, limit: size)
            ]
        case .previous:
            guard hasPrevious, pages.count < Self.mostPages, let first = pages.first?.window
            else { return [] }
            let limit = min(size, first.offset)
            return [Window(offset: first.offset - limit, limit: limit)]
        case .all: return pages.isEmpty ? due(.next) : windows
        }
    }

    /// Takes over that `window` has brought so many rows; a window that is held already is
    /// replaced. One that would leave a gap is dropped.
    ///
    /// - Parameter leftOut: Rows of it that were served beside these: what is no entity, or was removed
    ///   here.
    public mutating func take(_ window: Window, rows: Int, leftOut: Int = 0) {
        let page = Page(window: window, rows: rows, isFull: rows + leftOut >= window.limit)
        let last = pages.last?.window
        if let place = pages.firstIndex(where: { $0.window.offset == window.offset }) {
            pages[place] = page
        } else if last.map({ $0.offset + $0.limit == window.offset }) ?? true {
            pages.append(page)
        } else if let first = pages.first?.window, window.offset + window.limit == first.offset {
            pages.insert(page, at: 0)
        }
    }

    /// Forgets the pages.
    public mutating func reset() {
        pages = []
    }
}
