import FreshetHTTP
import FreshetHTTPServer

/// What `If-Match` and `If-None-Match` of a GET or a HEAD ask of the answer's entity tag (RFC 9110,
/// section 13.2.2), kept for an answer that comes later.
struct ReadConditions: Sendable {
    private let match: [UInt8]?
    private let noneMatch: [UInt8]?

    init(_ request: borrowing Request) {
        match = request.list(.ifMatch) { $0.map { [UInt8]($0) } }
        noneMatch = request.list(.ifNoneMatch) { $0.map { [UInt8]($0) } }
    }

    /// Whether the client has the state `tag` already, which is answered with 304.
    ///
    /// - Throws: 412 where it wants another one.
    func areMet(by tag: [UInt8]) throws(Problem) -> Bool {
        try judge { list, comparison in
            tag.withUnsafeBytes { EntityTags.match(list, $0, comparison) }
        }
    }

    /// Whether the conditions are met by the strong tag of a revision.
    func areMet(byRevision revision: UInt64) throws(Problem) -> Bool {
        try judge { EntityTags.match($0, revision: revision, $1) }
    }

    private func judge(
        _ compare: (UnsafeRawBufferPointer, EntityTags.Comparison) -> EntityTags.Answer
    ) throws(Problem) -> Bool {
        if let match { try Self.require(match.withUnsafeBytes { compare($0, .strong) }) }
        return noneMatch?.withUnsafeBytes { compare($0, .weak) } == .matches
    }

    /// - Throws: 412 where `answer` to `If-Match` is no match.
    static func require(_ answer: EntityTags.Answer) throws(Problem) {
        switch answer {
        case .matches: break
        case .malformed:
            throw Problem.malformedTag
        case .differs:
            throw Problem(
                .preconditionFailed, "what is here has none of the entity tags of If-Match",
                hint: "leave If-Match out to get what is here. The tag of a search is weak, and "
                    + "If-Match compares strong ones only")
        }
    }
}

extension Request {
    /// Whether the client has `revision` of an entity already. Allocates nothing.
    ///
    /// - Throws: 412 where it wants another one.
    func knows(revision: UInt64) throws(Problem) -> Bool {
        if header(.ifMatch) != nil {
            let answer = list(.ifMatch) { tags in
                tags.map { EntityTags.match($0, revision: revision, .strong) } ?? .malformed
            }
            try ReadConditions.require(answer)
        }
        return list(.ifNoneMatch) { tags in
            tags.map { EntityTags.match($0, revision: revision, .weak) } == .matches
        }
    }
}

extension Problem {
    /// `If-Match: 5`, as who forgets what a shell does to quotes sends it.
    static var malformedTag: Problem {
        Problem(
            .badRequest, "an entity tag is text in double quotes",
            hint: "send it as ETag has it, for curl: -H 'If-Match: \"5\"'")
    }
}
