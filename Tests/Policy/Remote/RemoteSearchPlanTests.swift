import FreshetJSON
import FreshetQuery
import Testing

@testable import FreshetRemote

@Suite("What of a query is asked of an upstream")
struct RemoteSearchPlanTests {
    /// The paths that a search asks for of an upstream that has `rows` entities.
    private func run(
        _ filter: String? = nil, rows: Int = 0, template query: KeyValuePairs<String, String>,
        parameters: [String: String] = [:], endpoint: String? = nil, isTrusted: Bool = false,
        ignoresPages: Bool = false, serves cap: Int = .max, faulty: String = "",
        query change: (inout Query) -> Void = { _ in },
        mapping: (inout RemoteMapping) throws -> Void = { _ in }
    ) async throws -> (paths: [String], answer: RemoteAnswer) {
        let transport = ScriptedTransport { request in
            let items =
                request.path.split(separator: "?").dropFirst().first?
                .split(separator: "&").map { $0.split(separator: "=") } ?? []
            func number(_ name: String) -> Int? {
                items.first { $0[0] == name }.flatMap { $0.count > 1 ? Int($0[1]) : nil }
            }
            var range = 0..<rows
            if !ignoresPages, let limit = number("limit") {
                let offset =
                    number("offset") ?? number("page").map { ($0 - 1) * min(limit, cap) } ?? 0
                range = min(offset, rows)..<min(offset + min(limit, cap), rows)
            }
            let list = range.map { "{\"id\":\($0)}" }.joined(separator: ",") + faulty
            return ScriptedTransport.json(
                "{\"total\":\(rows),\"more\":\(rows + 1),\"items\":[\(list)]}")
        }
        let bench = try SourceBench(transport) {
            $0.search = .init(request: try template("/t", query))
            $0.search?.items = try #require(JSONPointer("/items"))
            $0.search?.pageSize = 10
            $0.search?.maxPages = 4
            try mapping(&$0)
        }
        let answer = try await bench.search(
            filter, endpoint: endpoint, parameters: parameters, isTrusted: isTrusted, change)
        return (transport.paths, answer)
    }

    private func parsed(_ text: String) throws -> Filter { try Filter(parsing: text).canonical() }

    @Test("Equalities that the template names are sent, the others are told as left")
    func filter() async throws {
        let query: KeyValuePairs = ["status": "{filter.status}", "done": "{filter.a.done}"]
        let (paths, answer) = try await run(
            "status == 'a b' && a.done && points > 3", template: query)
        #expect(paths == ["/t?status=a%20b&done=true"])
        #expect(answer.pushdown?.isWholeFilter == false)
        #expect(answer.pushdown?.filter == (try parsed("status == 'a b' && a.done")))
        let whole = try await run("status == 7", template: query)
        #expect(whole.paths == ["/t?status=7"])
        #expect(whole.answer.pushdown?.isWholeFilter == true)
    }

    @Test(
        "What is no equality of a conjunction is not sent",
        arguments: [
            "status == 'a' || x == 1", "status != 'a'", "!(status == 'a')", "status in ['a','b']",
            "isNull(status)", "status == [1]", "startsWith(status,'a')",
        ])
    func notPushed(_ filter: String) async throws {
        let (paths, answer) = try await run(filter, template: ["status": "{filter.status}"])
        #expect(paths == ["/t"])
        #expect(answer.pushdown?.filter == nil)
        #expect(answer.pushdown?.isWholeFilter == false)
    }

    @Test("The window is asked for where nothing is left to test or to order")
    func window() async throws {
        let query: KeyValuePairs = [
            "s": "{filter.s}", "order": "{order}", "offset": "{offset}", "limit": "{limit}",
        ]
        let (paths, answer) = try await run("s == 1", rows: 100, template: query) {
            $0.offset = 7
            $0.limit = 5
            $0.order = .keys([OrderKey(path: PropertyPath(["at"]), descending: true)])
        }
        #expect(paths == ["/t?s=1&order=-at&offset=7&limit=5"])
        #expect(answer.entities.ids == ["7", "8", "9", "10", "11"])
        #expect(answer.pushdown?.window == .init(offset: 7, limit: 5))
        #expect(!answer.isComplete)
    }

    @Test("A first window that is not full is everything")
    func shortWindow() async throws {
        let (_, answer) = try await run(
            rows: 4, template: ["offset": "{offset}", "limit": "{limit}"],
            mapping: { $0.search?.pageSize = nil })
        #expect(answer.isComplete)
        let (_, full) = try await run(
            rows: 100, template: ["offset": "{offset}", "limit": "{limit}"])
        #expect(!full.isComplete)
    }

    @Test("Pages: an aligned window is its page, any other the first page that holds it")
    func pages() async throws {
        let query: KeyValuePairs = ["page": "{page}", "limit": "{limit}"]
        let aligned = try await run(rows: 50, template: query) {
            $0.offset = 20
            $0.limit = 10
        }
        #expect(aligned.paths == ["/t?page=3&limit=10"])
        #expect(aligned.answer.pushdown?.window == .init(offset: 20, limit: 10))
        let other = try await run(rows: 50, template: query) {
            $0.offset = 5
            $0.limit = 10
        }
        #expect(other.paths == ["/t?page=1&limit=10", "/t?page=2&limit=10"])
        #expect(other.answer.pushdown?.window == .init(offset: 0, limit: 15))
        let unknown = try await run(rows: 50, template: query) {
            $0.offset = 5
            $0.limit = 10
        } mapping: {
            $0.search?.pageSize = nil
        }
        #expect(unknown.paths == ["/t?page=1&limit=15"])
        let inner = try await run(rows: 50, template: query) {
            $0.offset = 25
            $0.limit = 3
        }
        #expect(inner.paths == ["/t?page=3&limit=10"])
        #expect(inner.answer.entities.first?.id == EntityID(20))
    }

    @Test(
        "A window that is larger than the upstream's page is walked from its first page",
        arguments: ["offset", "page"])
    func largeWindow(_ place: String) async throws {
        func run(
            _ offset: Int, _ limit: Int, rows: Int = 50
        ) async throws -> (paths: [String], answer: RemoteAnswer) {
            let query: KeyValuePairs =
                place == "page"
                ? ["page": "{page}", "limit": "{limit}"]
                : ["offset": "{offset}", "limit": "{limit}"]
            return try await self.run(rows: rows, template: query, serves: 10) {
                $0.offset = offset
                $0.limit = limit
            }
        }
        let first = try await run(0, 25)
        #expect(first.paths.count == 3)
        #expect(first.answer.entities.map(\.id) == (0..<30).map { EntityID($0) })
        #expect(!first.answer.isComplete)
        let later = try await run(20, 15)
        #expect(
            later.paths
                == (place == "page"
                    ? ["/t?page=3&limit=10", "/t?page=4&limit=10"]
                    : ["/t?offset=20&limit=10", "/t?offset=30&limit=10"]))
        #expect(later.answer.pushdown?.window == .init(offset: 20, limit: 15))
        #expect(later.answer.entities.first?.id == EntityID(20))
        #expect(!later.answer.isComplete)
        let all = try await run(0, 40, rows: 23)
        #expect(all.answer.entities.count == 23)
        #expect(all.answer.isComplete)
    }

    @Test("Where filter or order stay here, everything is fetched page by page")
    func walk() async throws {
        let query: KeyValuePairs = ["page": "{page}", "limit": "{limit}"]
        let (paths, answer) = try await run("x > 1", rows: 25, template: query)
        #expect(paths == ["/t?page=1&limit=10", "/t?page=2&limit=10", "/t?page=3&limit=10"])
        #expect(answer.entities.count == 25)
        #expect(answer.isComplete)
        #expect(answer.pushdown?.window == nil)
        let ordered = try await run(rows: 25, template: ["offset": "{offset}", "limit": "{limit}"])
        {
            $0.order = .keys([OrderKey(path: PropertyPath(["at"]))])
        }
        #expect(ordered.paths.count == 3)
        #expect(ordered.answer.pushdown?.isOrdered == false)
        #expect(ordered.answer.isComplete)
    }

    @Test("A walk ends with its last page, its cap, or an upstream that does not look at pages")
    func walkEnds() async throws {
        let query: KeyValuePairs = ["offset": "{offset}", "limit": "{limit}"]
        let capped = try await run("x > 1", rows: 1000, template: query)
        #expect(capped.paths.count == 4)
        #expect(!capped.answer.isComplete)
        #expect(capped.answer.entities.count == 40)
        let blind = try await run("x > 1", rows: 10, template: query, ignoresPages: true)
        #expect(blind.paths.count == 2)
        #expect(blind.answer.entities.count == 10)
        #expect(blind.answer.isComplete)
        let told = try await run(
            "x > 1", rows: 10, template: query,
            mapping: { $0.search?.total = JSONPointer(tokens: ["total"]) })
        #expect(told.paths.count == 1)
        #expect(told.answer.isComplete && told.answer.total == 10)
    }

    @Test("A total is not reached by what comes again", arguments: ["offset", "page"])
    func repetition(_ place: String) async throws {
        let query: KeyValuePairs = [place: "{\(place)}", "limit": "{limit}"]
        // It serves the same ten rows for each page, and has one more.
        let blind = try await run(
            "x > 1", rows: 10, template: query, ignoresPages: true,
            mapping: { $0.search?.total = JSONPointer("/more") })
        #expect(blind.paths.count == 2)
        #expect(blind.answer.entities.count == 10)
        #expect(!blind.answer.isComplete && blind.answer.isCut)
        // What is no entity is counted for each of its places in a page, and once for all pages.
        let faulty = try await run(
            "x > 1", rows: 10, template: query, ignoresPages: true, faulty: ",null,null",
            mapping: { $0.search?.total = JSONPointer("/more") })
        #expect(faulty.paths.count == 1)
        #expect(faulty.answer.faulty == 2 && faulty.answer.isComplete)
        let endless = try await run(
            "x > 1", rows: 9, template: query, ignoresPages: true, faulty: ",7")
        #expect(endless.paths.count == 2)
        #expect(endless.answer.faulty == 1)
    }

    @Test(
        "An upstream that serves less than it is asked for is walked to its end",
        arguments: ["offset", "page"])
    func silentCap(_ place: String) async throws {
        let query: KeyValuePairs = [place: "{\(place)}", "limit": "{limit}"]
        // Pages of 4 whatever is asked for: 4, 4 and 2, which is shorter than those before.
        let (paths, answer) = try await run(
            "x > 1", rows: 10, template: query, serves: 4,
            mapping: { $0.search?.pageSize = nil })
        #expect(paths.count == 3)
        #expect(answer.entities.count == 10 && answer.isComplete)
        // Two full pages of that size need an empty one behind them.
        let even = try await run(
            "x > 1", rows: 8, template: query, serves: 4,
            mapping: { $0.search?.pageSize = nil })
        #expect(even.paths.count == 3)
        #expect(even.answer.entities.count == 8 && even.answer.isComplete)
        // Where the configuration names the size, a short page is the last one.
        let named = try await run("x > 1", rows: 8, template: query)
        #expect(named.paths.count == 1 && named.answer.isComplete)
        // A number of matches that is not reached is believed.
        let fewer = try await run(
            "x > 1", rows: 0, template: query, mapping: { $0.search?.total = JSONPointer("/more") }
        )
        #expect(fewer.answer.isComplete == false)
    }

    @Test("An upstream with a limit and no pages is asked once; a short answer is the whole")
    func limitAlone() async throws {
        func run(_ rows: Int, size: Int?) async throws -> (paths: [String], isComplete: Bool) {
            let run = try await self.run(
                "x > 1", rows: rows, template: ["limit": "{limit}"],
                mapping: { $0.search?.pageSize = size })
            return (run.paths, run.answer.isComplete)
        }
        #expect(try await run(10, size: 10) == (["/t?limit=10"], false))
        #expect(try await run(9, size: 10) == (["/t?limit=10"], true))
        #expect(try await run(200, size: nil) == (["/t?limit=1000"], false))
        #expect(try await run(0, size: nil) == (["/t?limit=1000"], true))
    }

    @Test(
        "The one page of an upstream with neither limit nor pages may be a part where it was filled"
    )
    func onePage() async throws {
        func run(_ rows: Int, total: String? = nil) async throws -> RemoteAnswer {
            let run = try await self.run(
                rows: rows, template: ["cap": "10"],
                mapping: { $0.search?.total = total.flatMap { JSONPointer($0) } })
            #expect(run.paths == ["/t?cap=10"])
            return run.answer
        }
        let filled = try await run(10)
        #expect(!filled.isComplete && filled.isCut)
        for rows in [0, 9, 11] {
            let answer = try await run(rows)
            #expect(answer.isComplete && !answer.isCut, "\(rows) rows")
        }
        let told = try await run(10, total: "/total")
        #expect(told.isComplete && !told.isCut)
        let short = try await run(9, total: "/more")
        #expect(!short.isComplete && short.isCut)
    }

    @Test("An order by id is asked for, or ordered here: a remote's own need not be it")
    func orderByID() async throws {
        func byID(_ query: inout Query) {
            query.order = .keys([OrderKey(path: .id)])
            query.limit = 2
        }
        let here = try await run(
            rows: 25, template: ["offset": "{offset}", "limit": "{limit}"], query: byID)
        #expect(here.paths.count == 3 && here.answer.pushdown?.window == nil)
        let there = try await run(
            rows: 25, template: ["sort": "{order}", "offset": "{offset}", "limit": "{limit}"],
            query: byID)
        #expect(there.paths == ["/t?sort=id&offset=0&limit=2"])
    }

    @Test(
        "An upstream that serves less than it is asked for is asked for the rest of the window",
        arguments: [false, true], [0, 20])
    func smallPages(byPage: Bool, offset: Int) async throws {
        let query: KeyValuePairs =
            byPage
            ? ["page": "{page}", "limit": "{limit}"] : ["offset": "{offset}", "limit": "{limit}"]
        let (paths, answer) = try await run(rows: 120, template: query, serves: 8) {
            $0.limit = 20
            $0.offset = offset
        } mapping: {
            $0.search?.pageSize = nil
            $0.search?.total = JSONPointer("/total")
        }
        #expect(paths.allSatisfy { $0.hasSuffix("limit=20") }, "\(paths)")
        #expect(answer.pushdown?.window == .init(offset: offset, limit: 20))
        #expect(!answer.isComplete && answer.total == 120)
        guard !byPage || offset == 0 else {
            // The second page of 20 is another one where pages have eight rows.
            #expect(paths.count == 1 && answer.isCut)
            return
        }
        #expect(paths.count == 3 && !answer.isCut)
        #expect(answer.entities.ids == (offset..<offset + 24).map(String.init))
    }

    @Test("The end of what there is ends a window, too")
    func smallLastPages() async throws {
        let query: KeyValuePairs = ["offset": "{offset}", "limit": "{limit}"]
        func run(
            _ rows: Int, total: Bool, change: (inout Query) -> Void
        ) async throws -> (paths: [String], answer: RemoteAnswer) {
            try await self.run(rows: rows, template: query, serves: 8, query: change) {
                $0.search?.pageSize = nil
                if total { $0.search?.total = JSONPointer("/total") }
            }
        }
        let last = try await run(25, total: true) { ($0.limit, $0.offset) = (20, 20) }
        #expect(last.paths.count == 1 && !last.answer.isCut)
        #expect(last.answer.entities.ids == (20..<25).map(String.init))
        let whole = try await run(21, total: true) { $0.limit = 50 }
        #expect(whole.paths.count == 3 && whole.answer.isComplete && !whole.answer.isCut)
        // Over 100 a short page is believed by nobody.
        let unknown = try await run(21, total: false) { $0.limit = 150 }
        #expect(unknown.paths.count == 3 && unknown.answer.isComplete)
        #expect(unknown.answer.entities.count == 21)
        // As many pages as one search asks for.
        let long = try await run(120, total: true) { $0.limit = 100 }
        #expect(long.paths.count == 4 && long.answer.isCut)
    }

    @Test(
        "A service that counts otherwise, or fails behind its first part, is taken as it is",
        arguments: [1, 2])
    func hiddenRows(_ kind: Int) async throws {
        let transport = ScriptedTransport { request in
            let offset = request.path.contains("offset=0") ? 0 : 8
            if kind == 2, offset > 0 { return .failure(.timeout) }
            // Of ten rows two are hidden behind the window.
            let list = (offset..<offset + 8).map { "{\"id\":\($0 < 8 ? $0 : $0 - 1)}" }
            return ScriptedTransport.json(
                "{\"total\":40,\"items\":[\(list.joined(separator: ","))]}")
        }
        let bench = try SourceBench(transport) {
            $0.search = .init(
                request: try template("/t", ["offset": "{offset}", "limit": "{limit}"]))
            $0.search?.items = try #require(JSONPointer("/items"))
            $0.search?.total = JSONPointer("/total")
        }
        let answer = try await bench.search { $0.limit = 10 }
        #expect(answer.entities.ids == (0..<8).map(String.init) && answer.isCut)
        #expect(transport.paths.count == 2)
    }

    @Test("Nested elements that are no entities are no elements of the list")
    func faultyNested() async throws {
        let transport = ScriptedTransport { request in
            let offset = request.path.contains("offset=0") ? 0 : 4
            let list = (offset..<min(offset + 4, 10)).map {
                "{\"id\":\($0),\"author\":\($0 == 1 ? "true" : "{\"id\":7}")}"
            }
            return ScriptedTransport.json(
                "{\"total\":8,\"items\":[\(list.joined(separator: ","))]}")
        }
        let person = try #require(TypeName("person"))
        let bench = try SourceBench(transport) {
            $0.search = .init(
                request: try template("/t", ["offset": "{offset}", "limit": "{limit}"]))
            $0.search?.items = try #require(JSONPointer("/items"))
            $0.search?.total = JSONPointer("/total")
            $0.extract = [
                .init(
                    member: "author", type: person, pointer: try #require(JSONPointer("/author")))
            ]
        }
        let answer = try await bench.search { $0.limit = 10 }
        #expect(answer.entities.ids == (0..<8).map(String.init))
        #expect(!answer.isCut && answer.dropped == 1 && answer.faulty == 0)
    }

    @Test("Where an upstream has more than it serves the answer is cut, and says so")
    func cut() async throws {
        func run(_ rows: Int, _ limit: Int?, total: Bool) async throws -> RemoteAnswer {
            try await self.run(rows: rows, template: ["limit": "{limit}"], serves: 50) {
                $0.limit = limit
            } mapping: {
                $0.search?.pageSize = nil
                if total { $0.search?.total = JSONPointer("/total") }
            }.answer
        }
        #expect(try await run(120, nil, total: true).isCut, "everything was wanted")
        #expect(try await run(120, 70, total: true).isCut, "70 were wanted, and 50 came")
        #expect(try await !run(120, 40, total: true).isCut)
        #expect(try await !run(50, nil, total: true).isCut)
        #expect(try await !run(40, 70, total: true).isCut)
        let full = try await self.run(rows: 10, template: ["limit": "{limit}"])
        #expect(full.answer.isCut, "the one page that there is was filled")
        // An upstream that ends its pages before the number that it tells.
        let pages: KeyValuePairs = ["offset": "{offset}", "limit": "{limit}"]
        let short = try await self.run(
            rows: 5, template: pages, mapping: { $0.search?.total = JSONPointer("/more") })
        #expect(short.answer.isCut && !short.answer.isComplete)
    }

    @Test("A window that nobody is known to serve proves nothing by being short")
    func wideWindow() async throws {
        let query: KeyValuePairs = ["offset": "{offset}", "limit": "{limit}"]
        func isComplete(_ limit: Int, size: Int?, rows: Int = 3) async throws -> Bool {
            try await run(rows: rows, template: query) {
                $0.limit = limit
            } mapping: {
                $0.search?.pageSize = size
            }.answer.isComplete
        }
        #expect(try await isComplete(100, size: nil))
        // What is behind it is asked for, and there is nothing.
        #expect(try await isComplete(1_000, size: nil))
        #expect(try await isComplete(1_000, size: 1_000))
        // It is walked, and its first page is short.
        #expect(try await isComplete(1_000, size: 500))
    }

    @Test("A trusted answer gets the window whatever else is left")
    func trusted() async throws {
        let (paths, _) = try await run(
            "x > 1", rows: 30, template: ["offset": "{offset}", "limit": "{limit}"],
            isTrusted: true
        ) { $0.limit = 3 }
        #expect(paths == ["/t?offset=0&limit=3"])
    }

    @Test("Order keys have the upstream's names")
    func order() async throws {
        let (paths, answer) = try await run(template: ["sort": "{order}"]) {
            $0.order = .keys([
                OrderKey(path: PropertyPath(["author"]), descending: true),
                OrderKey(path: PropertyPath(["at"])),
            ])
        } mapping: {
            $0.rename = [.init(remote: "userId", local: "author")]
        }
        #expect(paths == ["/t?sort=-userId%2Cat"])
        #expect(answer.pushdown?.isOrdered == true)
    }

    @Test("Ids are sent as a list where the template has a place for them")
    func ids() async throws {
        let ids = try ["3", "a b"].map { try EntityID($0) }
        let (paths, answer) = try await run(template: ["ids": "{ids}", "limit": "{limit}"]) {
            $0.ids = ids
            $0.limit = nil
        }
        #expect(paths == ["/t?ids=3,a%20b"])
        #expect(answer.pushdown?.sendsIDs == true)
        #expect(!answer.isComplete)
    }

    @Test("More ids than a request line holds are asked for in parts")
    func manyIDs() async throws {
        let ids = (1...2_000).map { EntityID($0 * 1_000) }
        let (paths, answer) = try await run(rows: 3, template: ["ids": "{ids}"]) { $0.ids = ids }
        #expect(paths.count > 1)
        #expect(paths.allSatisfy { $0.utf8.count < 8_000 })
        let asked = paths.flatMap { $0.dropFirst("/t?ids=".count).split(separator: ",") }
        #expect(asked.map(String.init) == ids.map(\.text))
        // Each answer has the same three.
        #expect(answer.entities.count == 3)
        #expect(answer.pushdown?.sendsIDs == true)
    }

    @Test("No more ids are asked for at once than a page has rows")
    func idsOfPages() async throws {
        let ids = (1...25).map { EntityID($0) }
        let paged = try await run(template: ["ids": "{ids}"]) { $0.ids = ids }
        #expect(paged.paths.map { $0.split(separator: ",").count } == [10, 10, 5])
        let unknown = try await run(template: ["ids": "{ids}"]) {
            $0.ids = ids
        } mapping: {
            $0.search?.pageSize = nil
        }
        #expect(unknown.paths.count == 1)
    }

    @Test("No more ids are asked for at once than most services serve that do not say how many")
    func idsOfUnknownPages() async throws {
        func parts(_ change: (inout RemoteMapping) throws -> Void) async throws -> [Int] {
            let asked = try await run(template: ["ids": "{ids}"]) {
                $0.ids = (1...250).map { EntityID($0) }
            } mapping: {
                try change(&$0)
            }
            return asked.paths.map { $0.split(separator: ",").count }
        }
        #expect(try await parts { $0.search?.pageSize = nil } == [100, 100, 50])
        #expect(try await parts { $0.search?.pageSize = 200 } == [200, 50])
        let told = try await parts {
            $0.search?.pageSize = nil
            $0.search?.total = JSONPointer("/total")
        }
        #expect(told == [250])
    }

    @Test("A named endpoint takes its parameters and no others")
    func endpoint() async throws {
        func popular(_ mapping: inout RemoteMapping) throws {
            mapping.endpoints["popular"] = .init(
                request: try template("/t/{area}/popular", ["since": "{since}", "s": "{filter.s}"]))
            mapping.endpoints["popular"]?.items = try #require(JSONPointer("/items"))
        }
        let (paths, _) = try await run(
            "s == 'x'", template: [:], parameters: ["area": "a/b", "since": "1"],
            endpoint: "popular", mapping: popular)
        #expect(paths == ["/t/a%2Fb/popular?since=1&s=x"])
        await #expect {
            try await run(template: [:], endpoint: "popular", mapping: popular)
        } throws: {
            if case .unaddressable("popular", "area", _) = $0 as? UpstreamError {
                true
            } else {
                false
            }
        }
        for name in ["other", "limit"] {
            await #expect {
                try await run(
                    template: [:], parameters: ["area": "a", name: "2"], endpoint: "popular",
                    mapping: popular)
            } throws: {
                if case .unaddressable("popular", name, _) = $0 as? UpstreamError {
                    true
                } else {
                    false
                }
            }
        }
        await #expect {
            try await run(template: [:], endpoint: "unknown")
        } throws: {
            if case .unaddressable("unknown", nil, _) = $0 as? UpstreamError { true } else { false }
        }
    }
}
