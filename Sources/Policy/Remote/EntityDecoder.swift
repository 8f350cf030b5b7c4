import FreshetBase
import FreshetJSON
import FreshetQuery

/// Turns an upstream's elements into entities: renames members, finds the id, takes nested entities
/// out. One thread at a time; keeps its scratch memory.
struct EntityDecoder: ~Copyable {
    /// Why an element is no entity.
    enum Fault: Error {
        case notAnObject
        case noID
        case badID(EntityID.Fault)
        case document(DocumentFault)

        var sentence: String {
            switch self {
            case .notAnObject: "no object"
            case .noID: "no id"
            case .badID(let fault): fault.sentence
            case .document(let fault): fault.sentence
            }
        }
    }

    /// What one element has in it.
    struct Decoded {
        var entity: RemoteEntity
        var extracted: [RemoteEntity] = []
        /// Nested elements that are no entities.
        var dropped = 0
    }

    private let mapping: RemoteMapping
    private let maximumBytes: Int
    /// Whether the upstream's own form is ours.
    private let isPlain: Bool
    private var builder = DocumentBuilder()

    init(_ mapping: RemoteMapping, maximumBytes: Int) {
        self.mapping = mapping
        self.maximumBytes = maximumBytes
        isPlain = mapping.isPlain
    }

    /// - Parameter element: Canonical JSON.
    mutating func decode(_ element: JSONView) throws(Fault) -> Decoded {
        guard element.kind == .object else { throw .notAnObject }
        if isPlain {
            let document = try document(element.bytes)
            return Decoded(
                entity: RemoteEntity(type: mapping.type, id: document.id, document: document))
        }
        var value = JSONValue(element)
        var extracted: [RemoteEntity] = []
        var dropped = 0
        // The id first: it may stand in what is taken out.
        let id = value[mapping.id]
        var references: [(extraction: RemoteMapping.Extraction, ids: JSONValue)] = []
        for extraction in mapping.extract {
            guard let nested = value[extraction.pointer] else { continue }
            let ids = takeOut(nested, extraction, into: &extracted, dropped: &dropped)
            value = value.replacing(extraction.pointer.tokens[...], with: ids)
            references.append((extraction, ids))
        }
        var members = try members(of: value, id: id, at: mapping.id, renames: mapping.rename)
        for (extraction, ids) in references {
            Self.refer(by: extraction, to: ids, mapping.rename, in: &members)
        }
        let document = try document(JSONValue.object(members).bytes)
        return Decoded(
            entity: RemoteEntity(type: mapping.type, id: document.id, document: document),
            extracted: extracted, dropped: dropped)
    }

    // MARK: Nested entities

    /// - Returns: What stands in the place of `nested`: its id, or the list of its ids.
    private mutating func takeOut(
        _ nested: JSONValue, _ extraction: RemoteMapping.Extraction,
        into extracted: inout [RemoteEntity], dropped: inout Int
    ) -> JSONValue {
        if let elements = nested.arrayValue {
            var ids: [JSONValue] = []
            for element in elements {
                let id = takeOut(one: element, extraction, into: &extracted, dropped: &dropped)
                if let id { ids.append(id) }
            }
            return .array(ids)
        }
        return takeOut(one: nested, extraction, into: &extracted, dropped: &dropped) ?? .null
    }

    private mutating func takeOut(
        one element: JSONValue, _ extraction: RemoteMapping.Extraction,
        into extracted: inout [RemoteEntity], dropped: inout Int
    ) -> JSONValue? {
        switch element {
        // An id stands there already, or nothing.
        case .string, .number: return element
        case .null: return nil
        case .object:
            do throws(Fault) {
                let id = element[extraction.id]
                let members = try members(
                    of: element, id: id, at: extraction.id, renames: extraction.rename)
                let document = try document(JSONValue.object(members).bytes)
                extracted.append(
                    RemoteEntity(type: extraction.type, id: document.id, document: document))
                return id
            } catch {
                dropped += 1
                return nil
            }
        case .bool, .array:
            dropped += 1
            return nil
        }
    }

    /// Gives the member that holds nested entities' ids its name: where they stood at the top, it is
    /// that member; otherwise it is a new one.
    private static func refer(
        by extraction: RemoteMapping.Extraction, to ids: JSONValue,
        _ renames: [RemoteMapping.Rename], in members: inout [JSONValue.Member]
    ) {
        let tokens = extraction.pointer.tokens
        let member = JSONValue.Member(name: extraction.member, value: ids)
        let name = tokens.count == 1 ? local(tokens[0], renames) : nil
        guard let place = members.firstIndex(where: { $0.name == name }) else {
            members.removeAll { $0.name == extraction.member }
            members.append(member)
            return
        }
        members[place] = member
        var index = 0
        members.removeAll { other in
            defer { index += 1 }
            return index != place && other.name == extraction.member
        }
    }

    // MARK: Members

    /// The members of an entity in our form, `id` among them.
    private func members(
        of value: JSONValue, id: JSONValue?, at pointer: JSONPointer,
        renames: [RemoteMapping.Rename]
    ) throws(Fault) -> [JSONValue.Member] {
        guard let original = value.objectValue else { throw .notAnObject }
        guard let id, !id.isNull else { throw .noID }
        let idMember = pointer.tokens.count == 1 ? pointer.tokens[0] : nil
        // Renamed members and the id win over others of their names.
        var kept: [(member: JSONValue.Member, wins: Bool)] = []
        // By name: an element may have a million members.
        var places: [String: Int] = [:]
        if idMember == nil {
            kept.append((.init(name: "id", value: id), true))
            places["id"] = 0
        }
        for member in original {
            let isID = member.name == idMember
            let name = isID ? "id" : Self.local(member.name, renames)
            let wins = isID || name != member.name
            let entry = (member: JSONValue.Member(name: name, value: member.value), wins: wins)
            if let place = places[name] {
                if wins, !kept[place].wins { kept[place] = entry }
            } else {
                places[name] = kept.count
                kept.append(entry)
            }
        }
        return kept.map(\.member)
    }

    private static func local(_ name: String, _ renames: [RemoteMapping.Rename]) -> String {
        renames.first { $0.remote == name }?.local ?? name
    }

    private mutating func document(_ bytes: [UInt8]) throws(Fault) -> Document {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(Fault) in try document(bytes) }
        }
        return try result.get()
    }

    private mutating func document(_ bytes: UnsafeRawBufferPointer) throws(Fault) -> Document {
        do throws(DocumentFault) {
            return try builder.build(json: bytes, id: .fromBody, maximumBytes: maximumBytes)
        } catch {
            switch error {
            case .missingID: throw .noID
            default: throw .document(error)
            }
        }
    }
}

extension JSONValue {
    /// The value with `replacement` where `tokens` lead; unchanged where they lead nowhere.
    func replacing(_ tokens: ArraySlice<String>, with replacement: JSONValue) -> JSONValue {
        guard let token = tokens.first else { return replacement }
        switch self {
        case .object(var members):
            guard let index = members.firstIndex(where: { $0.name == token }) else { return self }
            members[index].value = members[index].value.replacing(
                tokens.dropFirst(), with: replacement)
            return .object(members)
        case .array(var elements):
            guard let index = Int(token), elements.indices.contains(index) else { return self }
            elements[index] = elements[index].replacing(tokens.dropFirst(), with: replacement)
            return .array(elements)
        default: return self
        }
    }
}
