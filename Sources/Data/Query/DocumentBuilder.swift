import FreshetBase
package import FreshetJSON

/// Why something is no document.
package enum DocumentFault: Error, Sendable {
    /// The text is no JSON, or has duplicate names, lone surrogates or too many levels.
    case json(JSONFault)
    case notAnObject
    case missingID
    case badID(EntityID.Fault)
    /// The body's id is another than the one it is written under.
    case idMismatch
    /// More bytes of canonical JSON than allowed.
    case tooLarge(limit: Int)

    /// Why an element of somebody's list is no entity, in a few words.
    package var sentence: String {
        switch self {
        case .json(let fault): "no JSON: \(fault.expectation)"
        case .notAnObject: "no object"
        case .missingID: "no id"
        case .badID(let fault): fault.sentence
        case .idMismatch: "another id"
        case .tooLarge: "too large"
        }
    }
}

/// Where the id of a document comes from.
package enum IDRule: Sendable {
    /// The body must have one.
    case fromBody
    /// The path has it: the body has the same or none.
    case expected(EntityID, asInteger: Bool)
    /// Made where the body has none, and only then.
    case generated(@Sendable () -> EntityID)
}

/// A member that is written at the end of a document that lacks it.
package struct DefaultMember: Sendable {
    /// The name as it is meant.
    let name: [UInt8]
    /// `"name":value` in canonical form.
    let member: [UInt8]

    /// - Parameter value: One value in canonical JSON.
    package init(name: String, value: [UInt8]) {
        self.name = Array(name.utf8)
        var buffer = ByteBuffer(capacity: 64)
        buffer.append(jsonName: name)
        buffer.append(value)
        member = Array(buffer.bytes)
    }
}

/// Makes documents of JSON text: checks it, finds or fills in the id, brings it into canonical form.
///
/// Keeps its scratch memory between documents; one thread at a time. Text that is canonical already
/// and has its id costs one scan, one copy and one checksum.
package struct DocumentBuilder: ~Copyable {
    private var scanner = JSONScanner()
    /// The object in canonical form.
    private var canonical = ByteBuffer(capacity: 1024)
    /// Members that go before the body's own.
    private var front = ByteBuffer(capacity: 300)
    /// Members that go behind them; also the canonical form of a patch.
    private var back = ByteBuffer(capacity: 64)
    /// What a merge made.
    private var merged = ByteBuffer(capacity: 64)
    /// The text of the id.
    private var idText = ByteBuffer(capacity: 300)
    /// The id at hand was not in the body.
    private var isIDFilledIn = false

    /// Scratch memory above this is given back after a document.
    private static let keptScratch = 256 * 1024

    package init() {}

    /// Makes a document of `json`.
    ///
    /// A top-level member `_meta` is dropped. A missing id goes to the front: as a string, or as
    /// a number where the rule says so and the id is an integer.
    ///
    /// - Parameters:
    ///   - maximumBytes: The most bytes of the result.
    ///   - defaults: Members that are appended where the body has none of that name.
    package mutating func build(
        json: UnsafeRawBufferPointer, id rule: IDRule, maximumBytes: Int = 1 << 20,
        defaults: [DefaultMember] = []
    ) throws(DocumentFault) -> Document {
        defer { giveBack() }
        let document = try assemble(
            json, rule, maximumBytes: maximumBytes, defaults: defaults, checksum: nil,
            revision: 0)
        if let fault = EntityID.faultOfNew(document.idBytes) { throw .badID(fault) }
        if isIDFilledIn { document.markIDFilledIn() }
        return document
    }

    /// Makes `document`, whose id was filled in, with the id as `old`, the entity in its place,
    /// spells it.
    ///
    /// - Returns: nil where there is nothing to change.
    package mutating func build(_ document: Document, spellingIDLike old: Document) -> Document? {
        guard document.isIDFilledIn, !document.spellsID(like: old),
            let spelled = old.member(named: "id")?.bytes,
            let own = document.member(named: "id")?.bytes, !Bytes.equal(spelled, own),
            let start = document.json.baseAddress, let place = own.baseAddress
        else { return nil }
        defer { giveBack() }
        back.removeAll()
        let before = place - start
        back.append(UnsafeRawBufferPointer(rebasing: document.json[..<before]))
        back.append(spelled)
        back.append(UnsafeRawBufferPointer(rebasing: document.json[(before + own.count)...]))
        let bytes = [UInt8](back.bytes)
        // Both were valid: so is the one in the form of the other.
        return bytes.withUnsafeBytes { try? build(stored: $0, revision: 0, checksum: nil) }
    }

    /// Makes the document that results from merging `patch` (RFC 7396) into `old`.
    ///
    /// An id in the patch must be the document's own; a member `_meta` of it is ignored.
    package mutating func build(
        merging patch: UnsafeRawBufferPointer, into old: Document, maximumBytes: Int = 1 << 20,
        defaults: [DefaultMember] = []
    ) throws(DocumentFault) -> Document {
        defer { giveBack() }
        try readPatch(patch, of: old)
        merged.removeAll()
        do throws(JSONFault) {
            try JSONMergePatch.apply(
                patch: JSONView(canonical: back.bytes), to: JSONView(canonical: old.json),
                into: &merged)
        } catch {
            throw .json(error)
        }
        return try assemble(
            merged.bytes, .fromBody, maximumBytes: maximumBytes, defaults: defaults,
            checksum: nil, revision: 0)
    }

    /// Merges `patch` (RFC 7396) into a draft, as `build(merging:)` into a document.
    ///
    /// - Returns: Whether it changes anything.
    /// - Throws: The draft must not be used any more.
    package mutating func merge(
        _ patch: UnsafeRawBufferPointer, into draft: DocumentDraft
    ) throws(DocumentFault) -> Bool {
        defer { giveBack() }
        try readPatch(patch, of: draft.base)
        do throws(JSONFault) {
            return try draft.object.apply(back.bytes, identifier: "id")
        } catch {
            throw .json(error)
        }
    }

    /// Makes a document of a draft as it is now.
    package mutating func build(
        _ draft: DocumentDraft, maximumBytes: Int = 1 << 20
    ) throws(DocumentFault) -> Document {
        defer { giveBack() }
        merged.removeAll()
        draft.object.append(to: &merged)
        return try assemble(
            merged.bytes, .fromBody, maximumBytes: maximumBytes, defaults: [], checksum: nil,
            revision: 0)
    }

    /// Makes a document again of the canonical JSON that one had.
    ///
    /// - Parameter checksum: The CRC-32C of `json` where the caller has just checked it.
    package mutating func build(
        stored json: UnsafeRawBufferPointer, revision: UInt64, checksum: UInt32?
    ) throws(DocumentFault) -> Document {
        defer { giveBack() }
        return try assemble(
            json, .fromBody, maximumBytes: Int(UInt32.max), defaults: [], checksum: checksum,
            revision: revision)
    }
}

// The steps.
extension DocumentBuilder {
    /// Checks a patch of `old` and puts its canonical form into `back`.
    private mutating func readPatch(
        _ patch: UnsafeRawBufferPointer, of old: Document
    ) throws(DocumentFault) {
        let summary = try scan(patch)
        guard summary.kind == .object else { throw .notAnObject }
        if let member = member(named: "id", in: patch) {
            try readID(member, of: patch)
            guard Bytes.equal(idText.bytes, old.idBytes) else { throw .idMismatch }
        }
        back.removeAll()
        JSONCanonical.compactObject(
            patch, members: scanner.members, isCanonical: summary.isCanonical,
            dropping: "_meta", into: &back)
    }

    private mutating func assemble(
        _ json: UnsafeRawBufferPointer, _ rule: IDRule, maximumBytes: Int,
        defaults: [DefaultMember], checksum: UInt32?, revision: UInt64
    ) throws(DocumentFault) -> Document {
        let summary = try scan(json)
        guard summary.kind == .object else { throw .notAnObject }
        front.removeAll()
        back.removeAll()
        try settleID(rule, of: json)
        for item in defaults where item.name.withUnsafeBytes({ member(named: $0, in: json) }) == nil
        {
            if !back.isEmpty { back.append(UInt8(ascii: ",")) }
            back.append(item.member)
        }
        if summary.isCanonical, front.isEmpty, back.isEmpty, member(named: "_meta", in: json) == nil
        {
            return try finish(
                json, summary, maximumBytes: maximumBytes, checksum: checksum, revision: revision)
        }
        canonical.removeAll()
        JSONCanonical.compactObject(
            json, members: scanner.members, isCanonical: summary.isCanonical, dropping: "_meta",
            front: front.isEmpty ? nil : front.bytes, back: back.isEmpty ? nil : back.bytes,
            into: &canonical)
        guard canonical.count <= maximumBytes else { throw .tooLarge(limit: maximumBytes) }
        let result = try scan(canonical.bytes)
        return try finish(
            canonical.bytes, result, maximumBytes: maximumBytes, checksum: nil, revision: revision)
    }

    /// Makes the document of the canonical object that was scanned last.
    private func finish(
        _ text: UnsafeRawBufferPointer, _ summary: JSONSummary, maximumBytes: Int,
        checksum: UInt32?, revision: UInt64
    ) throws(DocumentFault) -> Document {
        let json = UnsafeRawBufferPointer(rebasing: text[summary.start..<summary.end])
        guard json.count <= maximumBytes, json.count <= UInt32.max else {
            throw .tooLarge(limit: maximumBytes)
        }
        guard let member = member(named: "id", in: text) else { throw .missingID }
        var id = Self.spelledID(member, in: text)
        if !Bytes.equal(id, idText.bytes) { id = idText.bytes }
        return Document.make(
            json: json, members: scanner.members, origin: summary.start, id: id,
            checksum: checksum ?? CRC32C.checksum(json), revision: revision)
    }

    /// Puts the text of the id into `idText`, and the member into `front` where the body has none.
    private mutating func settleID(
        _ rule: IDRule, of json: UnsafeRawBufferPointer
    ) throws(DocumentFault) {
        isIDFilledIn = false
        if let member = member(named: "id", in: json) {
            try readID(member, of: json)
            guard case .expected(let id, _) = rule else { return }
            guard id.withBytes({ Bytes.equal($0, idText.bytes) }) else { throw .idMismatch }
            return
        }
        switch rule {
        case .fromBody: throw .missingID
        case .expected(let id, let asInteger):
            fillIn(id, asInteger: asInteger)
            isIDFilledIn = true
        case .generated(let make): fillIn(make(), asInteger: false)
        }
    }

    private mutating func fillIn(_ id: EntityID, asInteger: Bool) {
        idText.removeAll()
        id.withBytes { idText.append($0) }
        front.append(jsonName: "id")
        id.appendJSON(asInteger: asInteger, to: &front)
    }

    /// Puts the text of the id that `member` holds into `idText`.
    private mutating func readID(
        _ member: JSONMember, of text: UnsafeRawBufferPointer
    ) throws(DocumentFault) {
        idText.removeAll()
        let spelled = Self.spelledID(member, in: text)
        switch member.valueKind {
        case .string:
            // Six bytes spell one at most, so a longer text is none whatever its escapes say.
            guard spelled.count <= EntityID.maximumLength * 6 else { throw .badID(.tooLong) }
            JSONText.unescape(spelled, into: &idText)
            if let fault = EntityID.fault(in: idText.bytes) { throw .badID(fault) }
        case .number:
            guard let value = JSONNumber.int64(spelled) else { throw .badID(.notAnInteger) }
            idText.append(decimal: Int(value))
        default: throw .badID(.wrongKind)
        }
    }

    /// The bytes of an id in its JSON, without quotes.
    private static func spelledID(
        _ member: JSONMember, in text: UnsafeRawBufferPointer
    ) -> UnsafeRawBufferPointer {
        let quote = member.valueKind == .string ? 1 : 0
        return UnsafeRawBufferPointer(
            rebasing: text[Int(member.valueStart) + quote..<Int(member.valueEnd) - quote])
    }

    /// The member of the object scanned last whose name means `name`.
    private func member(
        named name: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer
    ) -> JSONMember? {
        for member in scanner.members {
            let count = Int(member.nameEnd - member.nameStart)
            guard count == name.count || member.nameHasEscapes else { continue }
            let spelled = UnsafeRawBufferPointer(
                rebasing: text[Int(member.nameStart)..<Int(member.nameEnd)])
            let isEqual =
                member.nameHasEscapes
                ? JSONText.equals(escaped: spelled, plain: name) : Bytes.equal(spelled, name)
            if isEqual { return member }
        }
        return nil
    }

    private func member(
        named name: StaticString, in text: UnsafeRawBufferPointer
    ) -> JSONMember? {
        member(
            named: UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount),
            in: text)
    }

    private mutating func scan(
        _ text: UnsafeRawBufferPointer
    ) throws(DocumentFault) -> JSONSummary {
        do throws(JSONFault) {
            return try scanner.scan(text)
        } catch {
            throw .json(error)
        }
    }

    private mutating func giveBack() {
        canonical.reset(capacity: Self.keptScratch)
        merged.reset(capacity: Self.keptScratch)
        back.reset(capacity: Self.keptScratch)
    }
}
