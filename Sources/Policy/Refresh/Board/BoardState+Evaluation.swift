import FreshetBase

// Expressions evaluated on their own, at any time, with all that they consist of.
extension BoardState {
    /// What one evaluation knows beside the board.
    struct Question {
        let operation: Int32
        /// Nanoseconds by which the instant in question lies after the board's time.
        var offset: Int64
        let answers: [CustomSpecification: Bool]
        /// The earliest instant at which a leaf may turn, since 1970.
        var turn = Int64.max
        var trace: [SpecEvaluation.Node]?
        /// Whether the trace tells what its leaves look at.
        var wantsValues = false
        var atoms = 0
        var nodes = 0
        /// Whether a part was beyond the limits.
        var isCut = false
    }

    /// Leaves that one evaluation may read to find its next change.
    private static let mostReadings = 40_000
    /// Instants that are looked at to find when one leaf turns.
    private static let mostTurns = 64

    /// - Parameters:
    ///   - wallInstant: Since 1970; what is no time is taken as it stands now.
    ///   - pointer: Where the expression stands.
    ///   - wantsValues: Whether the trace tells what its leaves look at.
    func evaluate(
        _ expression: SpecExpression, operation id: String?, at wallInstant: Int64?,
        pointer: String = "", wantsValues: Bool = false, _ answers: [CustomSpecification: Bool]
    ) -> SpecEvaluation {
        let operation = id.flatMap { operationPlaces[$0] } ?? -1
        let start = wallInstant ?? wall
        var question = Question(
            operation: operation, offset: start.subtractingSaturated(wall), answers: answers,
            trace: [], wantsValues: wantsValues)
        let value = evaluate(expression, pointer: pointer, names: [], level: 0, question: &question)
        let trace = question.trace ?? []
        var next: Int64?
        var steps = max(64, Self.mostReadings / max(1, question.atoms))
        var turn = question.turn
        while turn != .max, steps > 0 {
            steps -= 1
            var later = Question(
                operation: operation, offset: turn.subtractingSaturated(wall), answers: answers)
            if evaluate(expression, pointer: "", names: [], level: 0, question: &later) != value {
                next = turn
                break
            }
            guard later.turn > turn else { break }
            turn = later.turn
        }
        guard !question.isCut else {
            return SpecEvaluation(
                isSatisfied: false, nextChange: nil, trace: trace, fault: SpecProgram.excess)
        }
        return SpecEvaluation(
            isSatisfied: value, nextChange: next.map { .nanoseconds($0) }, trace: trace)
    }

    /// Whether an expression of no operation holds now.
    func holds(_ expression: SpecExpression, _ answers: [CustomSpecification: Bool]) -> Bool {
        var question = Question(operation: -1, offset: 0, answers: answers)
        let value = evaluate(expression, pointer: "", names: [], level: 0, question: &question)
        return value && !question.isCut
    }

    private func evaluate(
        _ expression: SpecExpression, pointer: String, names: [String], level: Int,
        question: inout Question
    ) -> Bool {
        question.nodes += 1
        guard level < SpecProgram.mostLevels, question.nodes <= SpecProgram.mostNodes else {
            question.isCut = true
            return false
        }
        let place = question.trace?.count ?? 0
        question.trace?.append(.init(pointer: pointer, value: false, text: expression.text))
        let isTraced = question.trace != nil
        func under(_ name: String) -> String { isTraced ? pointer + name : "" }
        let value: Bool
        switch expression {
        case .constant(let constant): value = constant
        case .all(let parts):
            var holds = true
            for (index, part) in parts.enumerated() {
                let part = evaluate(
                    part, pointer: under("/and/\(index)"), names: names, level: level + 1,
                    question: &question)
                holds = holds && part
            }
            value = holds
        case .any(let parts):
            var holds = false
            for (index, part) in parts.enumerated() {
                let part = evaluate(
                    part, pointer: under("/or/\(index)"), names: names, level: level + 1,
                    question: &question)
                holds = holds || part
            }
            value = holds
        case .not(let part):
            value = !evaluate(
                part, pointer: under("/not"), names: names, level: level + 1, question: &question)
        case .named(let name):
            guard let named = specs[name], !names.contains(name) else {
                value = false
                break
            }
            value = evaluate(
                named, pointer: isTraced ? "/specs/\(Self.escaped(name))" : "",
                names: names + [name], level: level + 1, question: &question)
        case .atom(let atom):
            value = read(atom, &question)
            if question.wantsValues {
                let leaf = leaf(atom, value, question)
                question.trace?[place].leaf = leaf
            }
        }
        question.trace?[place].value = value
        return value
    }

    /// `name` as a part of a JSON pointer.
    private static func escaped(_ name: String) -> String {
        name.divided(at: "~").joined(separator: "~0").divided(at: "/").joined(separator: "~1")
    }

    private func read(_ atom: SpecAtom, _ question: inout Question) -> Bool {
        question.atoms += 1
        let (value, turn) = reading(atom, question, offset: question.offset)
        question.turn = min(question.turn, turn)
        return value
    }

    /// What a leaf says `offset` nanoseconds from the board's time on, and the earliest later instant
    /// at which it may turn, since 1970; `.max` for none.
    private func reading(
        _ atom: SpecAtom, _ question: Question, offset: Int64
    ) -> (value: Bool, turn: Int64) {
        let time = wall.addingSaturated(offset)
        switch atom {
        case .custom(let custom): return (question.answers[custom] == true, .max)
        case .condition(let name):
            guard let condition = condition(named: name) else { return (false, .max) }
            guard condition.expires != .max else { return (condition.value, .max) }
            let expires = wall.addingSaturated(condition.expires.subtractingSaturated(now))
            return expires <= time
                ? (condition.declaration.initial, .max) : (condition.value, expires)
        default: break
        }
        let reading = atom.reading(
            input(of: atom, operation: owner(of: atom, question)),
            now: now.addingSaturated(offset), wall: time)
        guard reading.due != .max else { return (reading.value, .max) }
        let turn =
            reading.isWall
            ? reading.due : wall.addingSaturated(reading.due.subtractingSaturated(now))
        // Never at the instant itself, so that every step goes on.
        return (reading.value, max(turn, time.addingSaturated(1)))
    }

    /// The place of the operation that a leaf looks at; -1 for none.
    private func owner(of atom: SpecAtom, _ question: Question) -> Int32 {
        if case .other(let id)? = atom.operation { return operationPlaces[id] ?? -1 }
        return question.operation
    }

    /// What a leaf looks at, which says `value`.
    private func leaf(
        _ atom: SpecAtom, _ value: Bool, _ question: Question
    ) -> SpecEvaluation.Leaf {
        let owner = owner(of: atom, question)
        var leaf = SpecEvaluation.Leaf(
            current: atom.current(
                input(of: atom, operation: owner), now: now.addingSaturated(question.offset), value)
        )
        let place = leafPlaces[.init(atom: atom.ofThis, operation: atom.isOwned ? owner : -1)]
        leaf.since = place.flatMap { leaves[Int($0)].turned }.map { .nanoseconds($0) }
        var offset = question.offset
        for _ in 0..<Self.mostTurns {
            let later = reading(atom, question, offset: offset)
            if later.value != value {
                leaf.next = .nanoseconds(wall.addingSaturated(offset))
                break
            }
            guard later.turn != .max else { break }
            offset = later.turn.subtractingSaturated(wall)
        }
        return leaf
    }

    /// The named specification, the outermost one of each branch, that an expression which does not
    /// hold has it from; nil where none has a part in it.
    func nameOfCause(in expression: SpecExpression, operation place: Int) -> String? {
        let operation = Int32(place)
        let customs = customSpecifications(in: expression)
        var question = Question(
            operation: operation, offset: 0, answers: remembered(customs, operation: operation))
        return nameOfCause(of: false, in: expression, 0, &question)
    }

    /// - Parameter value: What the expression comes to. Of several parts those have a share in it
    ///   that come to the same.
    private func nameOfCause(
        of value: Bool, in expression: SpecExpression, _ level: Int, _ question: inout Question
    ) -> String? {
        switch expression {
        case .constant, .atom: return nil
        case .named(let name): return name
        case .not(let part): return nameOfCause(of: !value, in: part, level + 1, &question)
        case .all(let parts), .any(let parts):
            for part in parts
            where evaluate(part, pointer: "", names: [], level: level + 1, question: &question)
                == value
            {
                if let name = nameOfCause(of: value, in: part, level + 1, &question) {
                    return name
                }
            }
            return nil
        }
    }

    /// What those of `customs` said last that the board asks for the operation.
    func remembered(
        _ customs: [CustomSpecification], operation: Int32
    ) -> [CustomSpecification: Bool] {
        var answers: [CustomSpecification: Bool] = [:]
        for custom in customs {
            let key = LeafRecord.Key(atom: .custom(custom), operation: operation)
            if let place = leafPlaces[key] { answers[custom] = values[Int(place)] }
        }
        return answers
    }

    /// The custom specifications in `expression`, those of named ones, too.
    func customSpecifications(in expression: SpecExpression) -> [CustomSpecification] {
        var found: [CustomSpecification] = []
        collect(expression, names: [], level: 0, found: &found)
        return found
    }

    private func collect(
        _ expression: SpecExpression, names: [String], level: Int,
        found: inout [CustomSpecification]
    ) {
        guard level < SpecProgram.mostLevels else { return }
        switch expression {
        case .constant: break
        case .all(let parts), .any(let parts):
            for part in parts { collect(part, names: names, level: level + 1, found: &found) }
        case .not(let part): collect(part, names: names, level: level + 1, found: &found)
        case .named(let name):
            guard let named = specs[name], !names.contains(name) else { return }
            collect(named, names: names + [name], level: level + 1, found: &found)
        case .atom(.custom(let custom)): found.append(custom)
        case .atom: break
        }
    }
}
