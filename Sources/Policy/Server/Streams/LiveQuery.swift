import FreshetBase
import FreshetCore
import FreshetHTTP
import FreshetLive
package import FreshetQuery

/// One query of several: its name, its URL, and what the URL asks for.
struct LiveQuery: Sendable {
    /// Queries that one connection carries.
    static let mostQueries = 100
    static let longestAlias = 32
    /// What the long filters of one connection may be compiled to, which takes its event loop about 5 ms
    /// a MiB.
    static let mostFilterBytes = 8 << 20

    let alias: String
    let url: String
    let request: LiveRequest
    /// Bytes that its filter is compiled to, as bounds on many filters count them.
    let filterBytes: Int

    /// Whether a client may call a query so; the name stands in its events.
    static func isAlias(_ text: String) -> Bool {
        (1...longestAlias).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}

extension FreshetService {
    /// Reads the queries of a request, all or none.
    ///
    /// - Parameter context: Its path and parameters are those of the last query afterwards.
    /// - Throws: The first query's problem, with its real status and its alias.
    func read(
        _ queries: [(alias: String, url: String)], _ context: LoopContext, for caller: Caller?
    ) throws(Problem) -> [LiveQuery] {
        try Self.check(count: queries.count)
        var read: [LiveQuery] = []
        var filterBytes = 0
        for (alias, url) in queries {
            guard LiveQuery.isAlias(alias) else {
                throw Problem(
                    .badParameter,
                    "the name of a query is 1 to \(LiveQuery.longestAlias) letters, digits, "
                        + "'_' and '-' of ASCII",
                    hint: "write q.NAME=… in a URL, {\"queries\":{\"NAME\":\"…\"}} in a body")
            }
            guard !read.contains(where: { $0.alias == alias }) else {
                throw Problem(.badParameter, "the query '\(alias)' stands here twice")
            }
            do {
                let (request, bytes) = try self.request(of: url, context, for: caller)
                filterBytes += bytes
                try Self.check(count: queries.count, filterBytes: filterBytes)
                read.append(
                    LiveQuery(alias: alias, url: url, request: request, filterBytes: bytes))
            } catch {
                throw error.of(query: alias)
            }
        }
        return read
    }

    /// Refuses what is too much for one connection.
    static func check(count: Int, filterBytes: Int = 0) throws(Problem) {
        guard count <= LiveQuery.mostQueries else {
            throw Problem(
                .tooManyQueries,
                "these are \(count) queries; one connection carries \(LiveQuery.mostQueries)")
        }
        guard filterBytes <= LiveQuery.mostFilterBytes else {
            throw Problem(
                .tooManyQueries,
                "the filters of one connection are compiled to \(LiveQuery.mostFilterBytes) bytes at"
                    + " most, short ones left aside",
                hint:
                    "write shorter filters, smaller regular expressions, or open another connection",
                members: [.number("limit", LiveQuery.mostFilterBytes)])
        }
    }

    /// What the search or get URL `url` asks for, found good for `caller`; and bytes of its filter as
    /// bounds on many filters count them.
    func request(
        of url: String, _ context: LoopContext, for caller: Caller?
    ) throws(Problem) -> (LiveRequest, filterBytes: Int) {
        let bytes = Array(url.utf8)
        guard bytes.first == UInt8(ascii: "/") else { throw .noQueryURL }
        let mark = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
        let path = Array(bytes[..<mark])
        let search = Array(bytes[min(mark + 1, bytes.count)...])
        return try path.withBytes { path throws(Problem) in
            try search.withBytes { search throws(Problem) in
                try context.parse(path: path)
                try context.parse(query: search)
                return try parsedRequest(context, for: caller)
            }
        }
    }

    private func parsedRequest(
        _ context: LoopContext, for caller: Caller?
    ) throws(Problem) -> (LiveRequest, filterBytes: Int) {
        let count = context.path.count
        guard count == 2 || count == 3, context.path[0].elementsEqual("v1".utf8) else {
            throw .noQueryURL
        }
        let system = SystemType(segment: context.path[1])
        let type: TypeName
        if let system { type = system.name } else { type = try context.type() }
        if let caller, caller.rights.of(type).read == .none {
            throw .lacks(system?.needsAdmin == true ? .admin : .read, caller)
        }
        if system?.isLeaders == true { try cluster?.refuseStream() }
        let reader = core.reader(of: type)
        let (query, live) =
            count == 2
            ? try context.query(of: reader, type, for: caller?.rights)
            : try context.query(
                of: reader, getting: core.outbox.current(type, try context.id()), in: type,
                for: caller?.rights)
        try live.refuse(
            "since", "wait", "throttle", "heartbeat", "max",
            because: "belongs to the connection, not to one of its queries")
        try query.checkLive()
        // Whatever is wrong with its plan is to be known now, not when it is watched.
        let filterBytes: Int
        do { filterBytes = try reader.checkPlan(of: query, for: caller?.rights) } catch {
            throw Problem(error)
        }
        var request = LiveRequest(query, live.modeOfSeveral)
        request.wantsOldValues = live.wantsOldValues
        return (request, filterBytes)
    }
}

extension Query {
    /// Refuses what only an answer can have.
    package func checkLive() throws(Problem) {
        if after != nil {
            var problem = Problem.badParameter(
                "after", "a page that 'after' names is answered once and not watched")
            problem.hint =
                "which rows stand behind the mark would change with every row before it; "
                + "leave 'after' out, and write offset=N to begin behind N rows"
            throw problem
        }
        if explain {
            throw Problem.badParameter("explain", "a live query is not explained")
        }
    }
}

extension Problem {
    fileprivate static var noQueryURL: Problem {
        Problem(
            .badParameter, "this is no address of a search or of an entity",
            hint: "a query is written /v1/TYPE?… or /v1/TYPE/ID, without a host")
    }

    /// The problem of the query that a client calls `alias`.
    func of(query alias: String) -> Problem {
        var problem = self
        problem.detail = "query '\(alias)': \(detail)"
        problem.members.append(.text("q", alias))
        return problem
    }
}
