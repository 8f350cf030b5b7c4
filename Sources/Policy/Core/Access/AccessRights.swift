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
        /// Entities of which the rule is true.
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
        /// Whether it is the level alone that allows nothing.
        package let isMuted: Bool

        package init(read: Rows, write: Rows, level: Level = .remote) {
            self.read = level == .none ? .none : read
            self.write = level == .none ? .none : write
            self.level = level
            isMuted = level == .none && (read != .none || write != .none)
        }

        package static let nothing = OfType(read: .none, write: .none, level: .none)
        package static let everything = OfType(read: .all, write: .all)

        /// Whether they allow nothing at all.
        package var isEmpty: Bool { read == .none && write == .none }
    }

    private let named: [TypeName: OfType]
    /// The rights on types that are not named.
    package let others: OfType
    /// What is shown of the service's own types.
    private let system: [SystemType: Rows]
    /// Export, import, operators' pages, conditions, credentials.
    package let isAdmin: Bool

    /// - Parameter others: What holds for types that are not named; a named type takes nothing of
    ///   it.
    package init(named: [TypeName: OfType], others: OfType, isAdmin: Bool = false) {
        self.named = named
        self.others = others
        self.isAdmin = isAdmin
        var system: [SystemType: Rows] = [.types: Self.readInFull(named, others)]
        for type in SystemType.allCases where type.needsAdmin {
            system[type] = isAdmin ? .all : Rows.none
        }
        self.system = system
    }

    /// The rows of the types that are read in full: a type under a row rule has figures over rows that
    /// are hidden.
    private static func readInFull(_ named: [TypeName: OfType], _ others: OfType) -> Rows {
        let isOpen = others.read == .all
        let exceptions = named.filter { ($0.value.read == .all) != isOpen }.map(\.key).sorted()
        let filter: Filter
        if exceptions.isEmpty {
            if isOpen { return .all }
            // Whoever may read nothing is refused before; others are shown none.
            filter = .constant(false)
        } else {
            let listed = Filter.isIn(.id, exceptions.map { Literal(string: $0.text) })
            filter = isOpen ? .not(listed) : listed
        }
        do { return .some(try RowRule(filter)) } catch {
            preconditionFailure("a list of names is a rule")
        }
    }

    /// All rights on all types, and administration.
    package static let everything = AccessRights(named: [:], others: .everything, isAdmin: true)

    /// The rights on each named type, by name.
    package var byType: [(type: TypeName, rights: OfType)] {
        named.map { (type: $0.key, rights: $0.value) }.sorted { $0.type < $1.type }
    }

    package func of(_ type: TypeName) -> OfType {
        if type.isInternal { return ofSystem(type) }
        return named.isEmpty ? others : named[type] ?? others
    }

    /// The rights on a type of the service's own, whose rows nobody writes by its name.
    private func ofSystem(_ type: TypeName) -> OfType {
        OfType(
            read: SystemType(type).flatMap { system[$0] } ?? .none, write: .none, level: .local)
    }

    /// Whether all that may be read by `earlier` may be read by these.
    package func showsAll(of earlier: AccessRights) -> Bool {
        func shows(_ now: Rows, _ then: Rows) -> Bool {
            now == .all || then == .none || now == then
        }
        return self === earlier
            || (isAdmin || !earlier.isAdmin) && shows(others.read, earlier.others.read)
                && Set(named.keys).union(earlier.named.keys).allSatisfy {
                    shows(of($0).read, earlier.of($0).read)
                }
    }

    /// Whether there is anything at all that the caller may do.
    package var isEmpty: Bool {
        !isAdmin && others.isEmpty && named.values.allSatisfy(\.isEmpty)
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
    private let evaluator: FilterEvaluator

    /// - Throws: For a filter that the engine cannot compile.
    package init(_ filter: Filter) throws(EngineError) {
        self.filter = filter
        evaluator = try FilterEvaluator(filter)
    }

    /// Whether the rule is true of `document`. What takes more than 0.1 s to judge is not admitted:
    /// commits wait for it.
    package func admits(_ document: Document) -> Bool {
        evaluator.matches(document, patience: FilterEvaluator.shortPatience) ?? false
    }

    package static func == (left: RowRule, right: RowRule) -> Bool {
        left === right || left.filter == right.filter
    }
}
