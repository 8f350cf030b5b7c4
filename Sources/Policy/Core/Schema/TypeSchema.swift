package import FreshetBase
package import FreshetEngine
import FreshetJSON
package import FreshetQuery
package import FreshetStore

/// What the configuration declares about one type. Immutable; shared by all threads.
///
/// A write of a declared type goes: canonical document → `complete` → `faults(in:)` → commit.
/// Names are compared as canonical bytes, because equal strings have equal bytes there.
package final class TypeSchema: Sendable {
    package enum Identifier: String, Sendable, CaseIterable { case string, integer }
    package enum Storage: String, Sendable, CaseIterable { case file, memory }
    /// What a type may ask for beyond what the server promises.
    package enum Durability: String, Sendable, CaseIterable { case relaxed, full }

    /// A property that names other entities, or the entities that name this one.
    package struct Relationship: Sendable, Equatable {
        package enum Association: String, Sendable, CaseIterable { case one, many }
        package let name: String
        package let type: TypeName
        package let association: Association
        /// The property of `type` that points back; nil where this entity holds the ids itself.
        package let by: String?

        package init(name: String, type: TypeName, association: Association, by: String?) {
            self.name = name
            self.type = type
            self.association = association
            self.by = by
        }
    }

    /// What an entity must satisfy to be of use to callers that name the contract.
    package struct Contract: Sendable {
        package let name: String
        package let requires: [String]
        package let filter: Filter?

        package init(name: String, requires: [String], filter: Filter?) {
            self.name = name
            self.requires = requires
            self.filter = filter
        }

        /// True of the entities that satisfy the contract: they have each required property, not
        /// null, and its `where` holds.
        package var meaning: Filter {
            let parts =
                requires.map { Filter.not(.isNull(PropertyPath([$0]))) }
                + (filter.map { [$0] } ?? [])
            return parts.count > 1 ? .and(parts) : parts.first ?? .constant(true)
        }
    }

    package let name: String
    /// nil where the configuration says nothing: ids made by the server are strings then.
    package let identifier: Identifier?
    package let storage: Storage
    /// nil: the server's.
    package let durability: Durability?
    package let relationships: [Relationship]
    /// The declared indexes; they make answers fast and never right.
    package let indexes: [IndexDefinition]
    package let contracts: [Contract]
    /// What the contracts mean, by name.
    package let contractFilters: [String: Filter]
    package let additionalProperties: Bool
    /// Names (canonical bytes without quotes) whose change alone is no live event.
    package let silentMembers: [[UInt8]]
    /// What absent members become, in the order of the schema.
    package let defaults: [DefaultMember]
    let defaultTexts: [(name: [UInt8], value: [UInt8])]
    /// Names (canonical bytes) of members that keep their stored value when a write lacks them.
    let lazyMembers: [[UInt8]]
    let rules: ObjectSchema
    /// Whether `complete` wants the stored document: some property is lazy.
    package let keepsStoredMembers: Bool
    /// Whether every entity is valid and complete as it stands, so that none is looked at.
    let acceptsEverything: Bool
    /// The JSON form, an object without a line feed.
    private let encoded: [UInt8]

    /// - Parameters:
    ///   - defaults: Canonical JSON by name.
    ///   - encoded: The JSON form.
    package init(
        name: String, identifier: Identifier?, storage: Storage, durability: Durability?,
        relationships: [Relationship], indexes: [IndexDefinition], contracts: [Contract],
        silentMembers: [String], defaults: [(name: String, value: [UInt8])],
        lazyMembers: [String], rules: ObjectSchema, encoded: [UInt8]
    ) {
        self.name = name
        self.identifier = identifier
        self.storage = storage
        self.durability = durability
        self.relationships = relationships
        self.indexes = indexes
        self.contracts = contracts
        contractFilters = Dictionary(
            contracts.map { ($0.name, $0.meaning) }, uniquingKeysWith: { first, _ in first })
        self.additionalProperties = rules.allowsAdditional
        self.silentMembers = silentMembers.map(\.canonicalContents)
        self.defaults = defaults.map { DefaultMember(name: $0.name, value: $0.value) }
        self.defaultTexts = defaults.map { ($0.name.canonicalContents, $0.value) }
        self.lazyMembers = lazyMembers.map(\.canonicalContents)
        self.rules = rules
        keepsStoredMembers = !lazyMembers.isEmpty
        acceptsEverything =
            identifier != .integer && defaults.isEmpty && lazyMembers.isEmpty
            && rules.members.isEmpty && rules.allowsAdditional
        self.encoded = encoded
    }

    package var hasDefaults: Bool { !defaults.isEmpty }

    /// Appends the JSON form for `GET /v1/_types/{type}`: the declaration with every default of
    /// the schema language written out.
    package func encode(into output: inout ByteBuffer) {
        output.append(encoded)
    }

    /// The fault of an entity's id (its text bytes), or nil. `7` and `"7"` are one identifier, so
    /// a string id accepts every text and an integer id every text that is an Int64.
    package func fault(ofId text: UnsafeRawBufferPointer) -> ValueFault? {
        guard identifier == .integer, EntityID.integer(of: text) == nil else { return nil }
        return ValueFault(
            pointer: "/id", code: "type", detail: "expected an integer as the id of this type")
    }

    /// Appends `document` with the stored values of absent lazy members and then the defaults of
    /// absent members at its end. A lazy member that is null is asked to go: it is left out.
    ///
    /// - Parameter document: A canonical JSON object.
    /// - Parameter stored: The canonical object that it replaces; nil where there is none.
    /// - Returns: false, with nothing appended, where the document stays as it is.
    /// - Complexity: One pass over both documents for each lazy member or default.
    package func complete(
        _ document: UnsafeRawBufferPointer, stored: UnsafeRawBufferPointer?,
        into output: inout ByteBuffer
    ) -> Bool {
        let view = JSONView(canonical: document)
        guard view.kind == .object, document.count >= 2 else { return false }
        let start = output.count
        var isEmpty = document.count == 2
        var changed = false

        func add(_ name: [UInt8], _ value: UnsafeRawBufferPointer, to output: inout ByteBuffer) {
            if !changed {
                output.append(UnsafeRawBufferPointer(rebasing: document.dropLast()))
                changed = true
            }
            if !isEmpty { output.append(UInt8(ascii: ",")) }
            isEmpty = false
            output.append(UInt8(ascii: "\""))
            output.append(name)
            output.append("\":")
            output.append(value)
        }

        let removed = lazyMembers.filter { view.value(ofCanonical: $0)?.isNull == true }
        if !removed.isEmpty {
            output.append(UInt8(ascii: "{"))
            isEmpty = true
            changed = true
            for member in view.members where !removed.contains(where: member.name.elementsEqual) {
                add(Array(member.name), member.value.bytes, to: &output)
            }
        }
        if let stored, keepsStoredMembers {
            let old = JSONView(canonical: stored)
            for name in lazyMembers {
                guard view.value(ofCanonical: name) == nil,
                    let kept = old.value(ofCanonical: name)
                else { continue }
                add(name, kept.bytes, to: &output)
            }
        }
        for (name, value) in defaultTexts
        where view.value(ofCanonical: name) == nil || removed.contains(name) {
            // A lazy member with a default: what was stored has been appended already.
            if changed, lazyMembers.contains(name), !removed.contains(name), let stored,
                JSONView(canonical: stored).value(ofCanonical: name) != nil
            {
                continue
            }
            value.withUnsafeBytes { add(name, $0, to: &output) }
        }
        guard changed else {
            assert(output.count == start, "nothing is appended where nothing changes")
            return false
        }
        output.append(UInt8(ascii: "}"))
        return true
    }
}

extension JSONView {
    /// The value of the member whose name has these canonical bytes.
    func value(ofCanonical name: [UInt8]) -> JSONView? {
        for member in members where name.elementsEqual(member.name) { return member.value }
        return nil
    }
}

extension String {
    /// The text as it stands between the quotes of a canonical JSON string.
    var canonicalContents: [UInt8] {
        var buffer = ByteBuffer(capacity: utf8.count + 16)
        buffer.append(jsonString: self)
        return Array(buffer.bytes.dropFirst().dropLast())
    }
}
