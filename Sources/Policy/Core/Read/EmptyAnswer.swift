import FreshetBase
import FreshetEngine
import FreshetJSON
import FreshetQuery
import FreshetStore

extension EntityReader {
    /// What is odd about `search`, which found nothing: a type of which nothing is stored, a property
    /// that no entity has, a kind that never matches. nil where there is nothing to say.
    ///
    /// A caller with a row rule is told nothing: what is odd depends on rows that it may not read. Nor is
    /// of a type with a remote: what is not stored here may be there.
    ///
    /// - Parameter rights: Of the caller; nil: everything is allowed.
    /// - Complexity: A look at one entity a test as a rule, `EmptyAnswer.mostRows` at most.
    func hint(
        about search: PreparedSearch, _ found: SearchResult, for rights: AccessRights?
    ) -> String? {
        let query = search.query
        guard found.documents.isEmpty, found.aggregates.map({ $0.count == 0 }) ?? true,
            query.rule == nil, query.contract == nil, query.ids == nil, query.after == nil,
            query.offset == 0, query.limit != 0, remotes.source(of: query.type) == nil
        else { return nil }
        guard search.table.count == 0 else {
            return query.filter.flatMap {
                EmptyAnswer(type: query.type, table: search.table).oddity(of: $0)
            }
        }
        guard !query.type.isInternal, store.view(query.type) == nil else { return nil }
        let others = store.firstTypes(NearestWord.mostWords).sorted().filter { type in
            guard let rights else { return true }
            return rights.of(type).read == .all
        }
        return "no entity of type '\(query.type.text)' is stored"
            + NearestWord.suggestion(for: query.type.text, among: others.map(\.text))
    }
}

/// Looks at entities to say why a filter matches none of them.
private struct EmptyAnswer {
    /// Entities that are looked at, at most: about 0.1 ms.
    private static let mostRows = 1_000
    /// Bytes and members that are looked through for it, at most but for the last look: about 1 ms.
    private static let mostWork = 1 << 20
    /// Entities whose members are suggested.
    private static let mostNamed = 100
    /// Members of these that are looked at, and the bytes of a name that may be meant.
    private static let mostNames = 10_000
    private static let longestName = 64

    let type: TypeName
    let table: TableView

    /// A test of the filter that no absent value passes.
    private struct Test {
        let path: PropertyPath
        /// The kinds of which a value can pass; nil: any.
        let kinds: Set<JSONKind>?
        var seen: Set<JSONKind> = []
        var isPassable = false
    }

    func oddity(of filter: Filter) -> String? {
        var tests = Self.tests(of: filter)
        guard !tests.isEmpty else { return nil }
        var open = tests.count
        var rows = 0
        var work = 0
        var cursor = table.makeCursor()
        while open > 0, rows < Self.mostRows, work < Self.mostWork, let document = cursor.next() {
            rows += 1
            for index in tests.indices where !tests[index].isPassable {
                let isNested = tests[index].path.count > 1
                work += isNested ? document.json.count : document.memberCount
                // A row that was looked at in part says nothing.
                guard work < 2 * Self.mostWork else { return nil }
                guard let kind = document.view(at: tests[index].path)?.kind else { continue }
                tests[index].seen.insert(kind)
                guard tests[index].kinds?.contains(kind) ?? true else { continue }
                tests[index].isPassable = true
                open -= 1
            }
        }
        guard let odd = tests.first(where: { !$0.isPassable }) else { return nil }
        return sentence(about: odd, rows)
    }

    private func sentence(about test: Test, _ rows: Int) -> String {
        if test.kinds?.isEmpty == true { return "an empty list matches nothing" }
        let isAll = rows == table.count
        // In quotes already, so that backquotes around it would be part of the name.
        let path = test.path.count == 1 ? test.path[0].text : test.path.description
        let seen = test.seen.subtracting([.null])
        guard !seen.isEmpty else {
            let who =
                isAll
                ? "no entity of type '\(type.text)' has"
                : "none of the first \(rows) entities of type '\(type.text)' has"
            return "\(who) the property '\(path)'" + suggestion(for: test.path)
        }
        let whose = isAll ? "every entity that has it" : "the first \(rows) entities"
        return "the property '\(path)' is \(Self.words(seen)) in \(whose), "
            + "and the filter asks for \(Self.words(test.kinds ?? []))"
    }

    private func suggestion(for path: PropertyPath) -> String {
        guard path.count == 1 else { return "" }
        var names: [String] = []
        var known: Set<String> = []
        var rows = 0
        var seen = 0
        var cursor = table.makeCursor()
        while rows < Self.mostNamed, seen < Self.mostNames, let document = cursor.next() {
            rows += 1
            for index in 0..<min(document.memberCount, Self.mostNames - seen) {
                seen += 1
                let bytes = document.memberName(at: index)
                guard bytes.count <= Self.longestName else { continue }
                let name = String(decoding: bytes, as: UTF8.self)
                if known.insert(name).inserted { names.append(name) }
            }
        }
        return NearestWord.suggestion(for: path[0].text, among: names)
    }

    private static func words(_ kinds: Set<JSONKind>) -> String {
        kinds.sorted { $0.rawValue < $1.rawValue }.map(\.phrase).joined(separator: " or ")
    }

    /// The tests that something must pass; what stands under a `not` may hold of an absent value.
    private static func tests(of filter: Filter) -> [Test] {
        switch filter {
        case .constant, .not, .isNull, .compare(_, .notEqual, _): []
        case .and(let parts), .or(let parts): parts.flatMap(tests)
        default:
            filter.subject.flatMap { path, kinds in
                let isPassedByNone = path.isID || kinds?.contains(.null) ?? false
                return isPassedByNone ? nil : [Test(path: path, kinds: kinds)]
            } ?? []
        }
    }
}
