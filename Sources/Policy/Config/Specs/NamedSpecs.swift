package import FreshetRefresh

/// Named specifications as they refer to one another: their sizes, and the circles among them. Made
/// once for all of them, in O(nodes).
package struct NamedSpecs: Sendable {
    /// How large a specification is with the named ones in place.
    struct Size: Sendable {
        /// At most `mostCounted`.
        var nodes = 1
        var levels = 1
        /// Named ones inside one another, which the board goes down by calls.
        var names = 0

        static let mostCounted = 1 << 20

        /// The first limit that it is beyond, for people.
        var excess: String? {
            if nodes > SpecExpression.mostNodes {
                return "expected at most \(SpecExpression.mostNodes) nodes with named"
                    + " specifications in place"
            }
            if levels > SpecExpression.mostLevels {
                return "expected at most \(SpecExpression.mostLevels) levels with named"
                    + " specifications in place"
            }
            if names > SpecExpression.mostLevels {
                return "expected at most \(SpecExpression.mostLevels) named specifications inside"
                    + " one another"
            }
            return nil
        }
    }

    struct Reference: Sendable {
        let name: String
        let pointer: String
    }

    private var references: [String: [Reference]] = [:]
    private var sizes: [String: Size] = [:]
    /// The names of specifications on a circle, or between two circles.
    private(set) var entangled: Set<String> = []

    package init(_ specs: [String: SpecExpression] = [:]) {
        references = specs.mapValues { Self.references(in: $0) }
        var leads: [String: Set<String>] = [:]
        var users: [String: Set<String>] = [:]
        for (name, references) in references {
            leads[name] = Set(references.map(\.name).filter { specs[$0] != nil })
            for other in leads[name] ?? [] { users[other, default: []].insert(name) }
        }
        // Specifications without references first, then those whose references all have a size.
        var sized: [String] = specs.keys.filter { leads[$0]?.isEmpty ?? true }
        while let name = sized.popLast() {
            if let expression = specs[name] { sizes[name] = size(of: expression) }
            for user in users[name] ?? [] {
                leads[user]?.remove(name)
                if leads[user]?.isEmpty ?? true { sized.append(user) }
            }
            users[name] = nil
            leads[name] = nil
        }
        // What is left leads to a circle; from outside in, those go that none leads to.
        entangled = Set(leads.keys)
        var free = entangled.filter { users[$0]?.isEmpty ?? true }
        while let name = free.popFirst() {
            entangled.remove(name)
            for other in leads[name] ?? [] {
                users[other]?.remove(name)
                if users[other]?.isEmpty ?? true { free.insert(other) }
            }
        }
    }

    /// The names in `expression` with where they stand, in order.
    private static func references(
        in expression: SpecExpression, at pointer: String = ""
    ) -> [Reference] {
        switch expression {
        case .constant, .atom: []
        case .named(let name): [Reference(name: name, pointer: pointer)]
        case .not(let part): references(in: part, at: pointer + "/not")
        case .all(let parts):
            parts.enumerated().flatMap { references(in: $1, at: "\(pointer)/and/\($0)") }
        case .any(let parts):
            parts.enumerated().flatMap { references(in: $1, at: "\(pointer)/or/\($0)") }
        }
    }

    /// The first reference of what is called `name` that leads back to it, and the way.
    func circle(from name: String) -> (path: [String], pointer: String)? {
        guard entangled.contains(name) else { return nil }
        for reference in references[name] ?? [] {
            if let path = path(from: reference.name, to: name) {
                return ([name] + path, reference.pointer)
            }
        }
        return nil
    }

    /// A shortest way along references.
    private func path(from start: String, to goal: String) -> [String]? {
        var before: [String: String] = [start: start]
        var queue = [start]
        var next = 0
        while next < queue.count {
            let name = queue[next]
            next += 1
            if name == goal {
                var path = [name]
                while let last = path.last, let earlier = before[last], earlier != last {
                    path.append(earlier)
                }
                return path.reversed()
            }
            for reference in references[name] ?? [] where before[reference.name] == nil {
                before[reference.name] = name
                queue.append(reference.name)
            }
        }
        return nil
    }

    /// The first limit that `expression` is beyond, for people; nil where it is within all of them.
    package func excess(of expression: SpecExpression) -> String? { size(of: expression).excess }

    /// What is called by an unknown name, or leads to a circle, which is told where it is, counts as
    /// one node.
    func size(of expression: SpecExpression) -> Size {
        switch expression {
        case .constant, .atom: return Size()
        case .not(let part):
            var size = size(of: part)
            size.nodes = min(Size.mostCounted, size.nodes + 1)
            size.levels += 1
            return size
        case .all(let parts), .any(let parts):
            var size = Size(nodes: 1, levels: 0)
            for part in parts {
                let inner = self.size(of: part)
                size.nodes = min(Size.mostCounted, size.nodes + inner.nodes)
                size.levels = max(size.levels, inner.levels)
                size.names = max(size.names, inner.names)
            }
            size.levels += 1
            return size
        case .named(let name):
            var size = sizes[name] ?? Size()
            size.names += 1
            return size
        }
    }
}
