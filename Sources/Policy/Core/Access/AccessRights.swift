package import FreshetEngine
package import FreshetQuery
import FreshetStore

/// What one caller may do with entities, by type. Immutable; made from the configuration with all
/// of a rule's `$` values in place, so that a request looks one entry up and compares nothing.
package final class AccessRights: Sendable {
    /// The entities of one type that something may be done with.
    package enum Rows: Sendable, Equatable {
        case none
        case all
        /// Those of which the rule is true.
        case some(RowRule)

        /// What a query is restricted to; nil where it is not.
        package var filter: Filter? {
            switch self {
            case .none: .constant(false)
            case .all: nil
            case .some(let rule): rule.filter
            }
        }

        package func admits(_ document: Document) -> Bool {
            switch self {
            case .none: false
            case .all: true
            case .some(let rule): rule.admits(document)
            }
        }
    }

    /// What the caller's requests may make the server do for it.
    package enum Level: String, CaseIterable, Sendable {
        /// Nothing: as if neither reading nor writing were allowed.
        case none
        /// Answer from what is here.
        case local
        /// Ask upstreams as well.
        case remote
    }

    /// The rights on one type.
    package struct OfType: Sendable {
        package let read: Rows
        package let write: Rows
        package let level: Level

        package init(read: Rows, write: Rows, level: Level = .remote) {
            self.read = level == .none ? .none : read
            self.write = level == .none ? .none : write
            self.level = level
        }

        package static let nothing = OfType(read: .none, write: .none, level: .none)
        package static let everything = OfType(read: .all, write: .all)
    }

    private let named: [TypeName: OfType]
    private let others: OfType
    /// Export, import, operators' pages, conditions, credentials.
    package let isAdmin: Bool

    /// - Parameter others: What holds for types that are not named; a named type takes nothing of
    ///   it.
    package init(named: [TypeName: OfType], others: OfType, isAdmin: Bool = false) {
        self.named = named
        self.others = others
        self.isAdmin = isAdmin
    }

    /// What holds for each named type, and as `*` for all others where that is anything.
    package var byType: [(type: String, rights: OfType)] {
        var list = named.map { (type: $0.key.text, rights: $0.value) }.sorted { $0.type < $1.type }
        if others.read != .none || others.write != .none { list.append(("*", others)) }
        return list
    }

    package func of(_ type: TypeName) -> OfType {
        named.isEmpty ? others : named[type] ?? others
    }

    /// Whether there is anything at all that the caller may do.
    package var isEmpty: Bool {
        func isNothing(_ rights: OfType) -> Bool { rights.read == .none && rights.write == .none }
        return !isAdmin && isNothing(others) && named.values.allSatisfy(isNothing)
    }
}

extension AccessRights: WriteRights {
    package func hidesSome(of type: TypeName) -> Bool { of(type).read != .all }

    package func mayRead(_ document: Document, of type: TypeName) -> Bool {
        of(type).read.admits(document)
    }

    package func mayWrite(_ document: Document, of type: TypeName) -> Bool {
        of(type).write.admits(document)
    }
}

/// A filter that decides about single rows. Any thread.
package final class RowRule: Sendable, Equatable {
    package let filter: Filter
    /// nil where the filter holds a regular expression: one that has given up on a text says
    /// nothing about any other, so such a rule is compiled anew for each row.
    private let plan: SearchPlan?

    /// - Throws: For a filter that the engine cannot compile.
    package init(_ filter: Filter) throws(EngineError) {
        self.filter = filter
        let plan = try SearchPlan(Self.query(filter))
        self.plan = filter.usesPatterns ? nil : plan
    }

    private static func query(_ filter: Filter) -> Query {
        // The type plays no part in a filter.
        var query = Query(type: .any)
        query.filter = filter
        return query
    }

    package func admits(_ document: Document) -> Bool {
        if let plan { return plan.matches(document) }
        // It was compiled before; what cannot be judged is not admitted.
        guard let plan = try? SearchPlan(Self.query(filter)) else { return false }
        return plan.matches(document) && !plan.isExhausted
    }

    package static func == (left: RowRule, right: RowRule) -> Bool {
        left === right || left.filter == right.filter
    }
}

extension TypeName {
    fileprivate static let any: TypeName = {
        guard let name = TypeName("any") else { preconditionFailure("a word is a type name") }
        return name
    }()
}
