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
        var atoms = 0
    }

    /// Leaves that one evaluation may read to find its next change.
    private static let mostReadings = 40_000

    /// - Parameters:
    ///   - wallInstant: Since 1970; what is no time is taken as it stands now.
    ///   - pointer: Where the expression stands.
    func evaluate(
        _ expression: SpecExpression, operation id: String?, at wallInstant: Int64?,
        pointer: String = "", _ answers: [CustomSpecification: Bool]
    ) -> SpecEvaluation {
        let operation = id.flatMap { operationPlaces[$0] } ?? -1
        let start = wallInstant ?? wall
        var question = Question(
            operation: operation, offset: start.subtractingSaturated(wall), answers: answers,
            trace: [])
        let value = evaluate(expression, pointer, [], 0, &question)
        let trace = question.trace ?? []
        var next: Int64?
        var steps = max(64, Self.mostReadings / max(1, question.atoms))
        var turn = question.turn
        while turn != .max, steps > 0 {
            steps -= 1
            var later = Question(
                operation: operation, offset: turn.subtractingSaturated(wall), answers: answers)
            if evaluate(expression, "", [], 0, &later) != value {
                next = turn
                break
            }
            guard later.turn > turn else { break }
            turn = later.turn
        }
        return SpecEvaluation(
            isSatisfied: value, nextChange: next.map { .nanoseconds($0) }, trace: trace)
    }

    private func evaluate(
        _ expression: SpecExpression, _ pointer: String, _ names: [String], _ level: Int,
        _ question: inout Question
    ) -> Bool {
        let place = question.trace?.count ?? 0
        question.trace?.append(.init(pointer: pointer, value: false))
        let isTraced = question.trace != nil
        func under(_ name: String) -> String { isTraced ? pointer + name : "" }
        let value: Bool
        switch expression {
        case _ where level >= SpecProgram.mostLevels: value = false
        case .constant(let constant): value = constant
        case .all(let parts):
            var holds = true
            for (index, part) in parts.enumerated() {
                let part = evaluate(part, under("/and/\(index)"), names, level + 1, &question)
                holds = holds && part
            }
            value = holds
        case .any(let parts):
            var holds = false
            for (index, part) in parts.enumerated() {
                let part = evaluate(part, under("/or/\(index)"), names, level + 1, &question)
                holds = holds || part
            }
            value = holds
        case .not(let part):
            value = !evaluate(part, under("/not"), names, level + 1, &question)
        case .named(let name):
            guard let named = specs[name], !names.contains(name) else {
                value = false
                break
            }
            let escaped =
                name.contains(where: { $0 == "~" || $0 == "/" })
                ? name.split(separator: "~", omittingEmptySubsequences: false).joined(
                    separator: "~0"
                ).split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
                : name
            value = evaluate(
                named, isTraced ? "/specs/\(escaped)" : "", names + [name], level + 1, &question)
        case .atom(let atom): value = read(atom, &question)
        }
        question.trace?[place].value = value
        return value
    }

    private func read(_ atom: SpecAtom, _ question: inout Question) -> Bool {
        question.atoms += 1
        let time = wall.addingSaturated(question.offset)
        switch atom {
        case .custom(let custom): return question.answers[custom] == true
        case .condition(let name):
            guard let condition = condition(named: name) else { return false }
            let expires = wall.addingSaturated(condition.expires.subtractingSaturated(now))
            guard condition.expires != .max else { return condition.value }
            if expires <= time { return condition.declaration.initial }
            question.turn = min(question.turn, expires)
            return condition.value
        default: break
        }
        var owner = question.operation
        if case .other(let id)? = atom.operation { owner = operationPlaces[id] ?? -1 }
        let reading = atom.reading(
            input(of: atom, operation: owner), now: now.addingSaturated(question.offset), wall: time
        )
        if reading.due != .max {
            let turn =
                reading.isWall
                ? reading.due : wall.addingSaturated(reading.due.subtractingSaturated(now))
            // Never at the instant itself, so that every step goes on.
            question.turn = min(question.turn, max(turn, time.addingSaturated(1)))
        }
        return reading.value
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
            for part in parts where evaluate(part, "", [], level + 1, &question) == value {
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
        collect(expression, [], 0, &found)
        return found
    }

    private func collect(
        _ expression: SpecExpression, _ names: [String], _ level: Int,
        _ found: inout [CustomSpecification]
    ) {
        guard level < SpecProgram.mostLevels else { return }
        switch expression {
        case .constant: break
        case .all(let parts), .any(let parts):
            for part in parts { collect(part, names, level + 1, &found) }
        case .not(let part): collect(part, names, level + 1, &found)
        case .named(let name):
            guard let named = specs[name], !names.contains(name) else { return }
            collect(named, names + [name], level + 1, &found)
        case .atom(.custom(let custom)): found.append(custom)
        case .atom: break
        }
    }
}
