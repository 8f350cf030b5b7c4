package import FreshetQuery

/// What may be asked of rights.
package struct AccessQuestion: Sendable {
    package enum Act: String, CaseIterable, Sendable {
        case read, write, remove
    }

    package let act: Act
    package let type: TypeName
    /// Whether it is about one entity, and not about those of the type.
    package let isAboutOne: Bool
    /// The one that is stored; nil where there is none.
    package let stored: Document?
    /// As it is to become, or, where it is to be read or removed, as if it were stored so.
    package let entity: Document?

    package init(
        _ act: Act, _ type: TypeName, isAboutOne: Bool, stored: Document?, entity: Document?
    ) {
        self.act = act
        self.type = type
        self.isAboutOne = isAboutOne
        self.stored = stored
        self.entity = entity
    }
}

/// What a get, a set or a removal would be answered by the rights of its caller, and why.
package struct AccessVerdict: Sendable {
    package enum Answer: Sendable {
        case yes, no
        /// A rule decides for each entity.
        case some
    }

    package enum Reason: String, Sendable {
        case all, none, rule, level, expired, absent
    }

    /// A rule, and the image of the entity that it was asked about.
    package struct Check: Sendable {
        package enum Image: String, Sendable {
            case stored, new
        }

        package let image: Image
        package let rule: RowRule
        /// nil where there was none to ask it about.
        package let document: Document?
        package let isSatisfied: Bool?
    }

    package let answer: Answer
    package let reason: Reason
    /// Whether what is refused is refused as if there were no such entity.
    package let isHidden: Bool
    package let checks: [Check]

    package init(
        _ answer: Answer, _ reason: Reason, isHidden: Bool = false, _ checks: [Check] = []
    ) {
        self.answer = answer
        self.reason = reason
        self.isHidden = isHidden
        self.checks = checks
    }
}

extension AccessRights {
    /// What comes of `question`; the same as reads (EntityReader) and the writer (WriteGuard) decide.
    package func verdict(on question: AccessQuestion) -> AccessVerdict {
        let rights = of(question.type)
        guard (question.act == .read ? rights.read : rights.write) != .none else {
            return AccessVerdict(.no, rights.isMuted ? .level : .none)
        }
        var judge = RuleJudge()
        return switch question.act {
        case .read: judge.read(question, rights)
        case .write: judge.write(question, rights)
        case .remove: judge.remove(question, rights)
        }
    }
}

/// Asks rules, and keeps what came of it.
private struct RuleJudge {
    private var checks: [AccessVerdict.Check] = []

    mutating func read(
        _ question: AccessQuestion, _ rights: AccessRights.OfType
    ) -> AccessVerdict {
        guard question.isAboutOne else { return ofSome([rights.read]) }
        guard let document = question.entity ?? question.stored else {
            return AccessVerdict(.no, .absent, isHidden: true)
        }
        let image: AccessVerdict.Check.Image = question.entity == nil ? .stored : .new
        guard admits(rights.read, document, image) else { return no(hidden: true) }
        return yes
    }

    mutating func write(
        _ question: AccessQuestion, _ rights: AccessRights.OfType
    ) -> AccessVerdict {
        guard question.isAboutOne else { return ofSome([rights.read, rights.write]) }
        if let stored = question.stored {
            guard rights.read != .none else { return AccessVerdict(.no, .none) }
            guard admits(rights.read, stored, .stored), admits(rights.write, stored, .stored)
            else { return no(hidden: false) }
        }
        if let entity = question.entity {
            return admits(rights.write, entity, .new) ? yes : no(hidden: false)
        }
        return ask(rights.write, .new) ? AccessVerdict(.some, .rule, checks) : yes
    }

    mutating func remove(
        _ question: AccessQuestion, _ rights: AccessRights.OfType
    ) -> AccessVerdict {
        guard question.isAboutOne else { return ofSome([rights.read, rights.write]) }
        guard let document = question.entity ?? question.stored else {
            let isAllowed = rights.read == .all
            return AccessVerdict(isAllowed ? .yes : .no, .absent, isHidden: !isAllowed)
        }
        let image: AccessVerdict.Check.Image = question.entity == nil ? .stored : .new
        guard rights.read != .none else { return AccessVerdict(.no, .none, isHidden: true) }
        guard admits(rights.read, document, image) else { return no(hidden: true) }
        return admits(rights.write, document, image) ? yes : no(hidden: false)
    }

    private var yes: AccessVerdict { AccessVerdict(.yes, checks.isEmpty ? .all : .rule, checks) }

    private func no(hidden: Bool) -> AccessVerdict {
        AccessVerdict(.no, .rule, isHidden: hidden, checks)
    }

    /// - Parameter rows: Those that decide about an entity of the type.
    private mutating func ofSome(_ rows: [AccessRights.Rows]) -> AccessVerdict {
        let isRestricted = rows.count { $0 != .all } > 0
        for rows in rows { _ = ask(rows, .stored) }
        return isRestricted ? AccessVerdict(.some, .rule, checks) : AccessVerdict(.yes, .all)
    }

    /// Notes a rule that there is no entity to ask about. - Returns: false where there is no rule.
    private mutating func ask(
        _ rows: AccessRights.Rows, _ image: AccessVerdict.Check.Image
    ) -> Bool {
        guard case .some(let rule) = rows else { return false }
        checks.append(.init(image: image, rule: rule, document: nil, isSatisfied: nil))
        return true
    }

    private mutating func admits(
        _ rows: AccessRights.Rows, _ document: Document, _ image: AccessVerdict.Check.Image
    ) -> Bool {
        let isAdmitted = rows.admits(document)
        if case .some(let rule) = rows {
            checks.append(
                .init(image: image, rule: rule, document: document, isSatisfied: isAdmitted))
        }
        return isAdmitted
    }
}
