import FreshetRefresh
import Testing

/// Which pages are held, and which are due.
@Suite struct OperationPagesTests {
    private typealias Window = OperationPages.Window

    @Test func pagesAreFetchedOneBehindTheOther() {
        var pages = OperationPages(size: 10)
        #expect(pages.due(.next) == [Window(offset: 0, limit: 10)])
        #expect(pages.due(.all) == [Window(offset: 0, limit: 10)], "the first run has one page")
        pages.take(Window(offset: 0, limit: 10), rows: 10)
        #expect(pages.due(.next) == [Window(offset: 10, limit: 10)])
        #expect(pages.due(.previous).isEmpty)
        pages.take(Window(offset: 10, limit: 10), rows: 4)
        #expect(pages.count == 14 && !pages.hasNext && pages.due(.next).isEmpty)
        #expect(
            pages.due(.all) == [Window(offset: 0, limit: 10), Window(offset: 10, limit: 10)],
            "a rerun fetches all that are held")
        pages.take(Window(offset: 10, limit: 10), rows: 10)
        #expect(pages.hasNext, "it has grown")
        pages.reset()
        #expect(pages.count == 0 && pages.due(.next) == [Window(offset: 0, limit: 10)])
    }

    @Test func aPageBeforeTheFirstIsCutByTheFront() {
        var pages = OperationPages(size: 10, start: 15)
        pages.take(Window(offset: 15, limit: 10), rows: 10)
        #expect(pages.due(.previous) == [Window(offset: 5, limit: 10)])
        pages.take(Window(offset: 5, limit: 10), rows: 10)
        #expect(pages.due(.previous) == [Window(offset: 0, limit: 5)])
        pages.take(Window(offset: 0, limit: 5), rows: 5)
        #expect(pages.due(.previous).isEmpty && pages.count == 25)
        #expect(pages.due(.all).map(\.offset) == [0, 5, 15])
        pages.take(Window(offset: 90, limit: 10), rows: 10)
        #expect(pages.count == 25, "what would leave a gap is dropped")
    }

    @Test func aPageIsFullAsItWasServed() {
        var pages = OperationPages(size: 3)
        pages.take(Window(offset: 0, limit: 3), rows: 2, leftOut: 1)
        #expect(pages.count == 2 && pages.due(.next) == [Window(offset: 3, limit: 3)])
        pages.take(Window(offset: 3, limit: 3), rows: 1, leftOut: 1)
        #expect(pages.count == 3 && !pages.hasNext)
    }

    @Test func asManyPagesAreHeldAsMayBe() {
        var pages = OperationPages(size: 1)
        for _ in 0..<OperationPages.mostPages {
            pages.take(pages.due(.next)[0], rows: 1)
        }
        #expect(pages.due(.next).isEmpty && pages.count == OperationPages.mostPages)
    }
}
