import FreshetEngine
import FreshetQuery
package import FreshetStore

/// What of the entities of a data directory a configuration would refuse: `freshet check --data`.
package struct StoredCheck {
    /// Entities told of each type; all are counted.
    static let toldLimit = 100
    /// Faults told of each entity.
    static let faultLimit = 20

    package private(set) var entities = 0
    package private(set) var types = 0
    /// Entities that do not fit.
    package private(set) var unfit = 0
    /// What else is worth knowing, a sentence each.
    package private(set) var notes: [String] = []

    /// Judges every entity.
    ///
    /// - Parameter tell: Called with one line for each fault: type, id, pointer, what is wrong,
    ///   with spaces between. Names and ids are as they are stored: whoever shows them to a
    ///   terminal makes control characters visible.
    package init(
        _ stored: StoredEntities, types schemas: [TypeSchema], isStrict: Bool,
        tell: (String) -> Void
    ) {
        for (name, table) in stored.views.types where table.count > 0 && !name.isInternal {
            types += 1
            entities += table.count
            guard let schema = schemas.first(where: { $0.name == name.text }) else {
                if isStrict {
                    notes.append(
                        "the type \(name) has \(table.count) stored and is not declared: with"
                            + " \"strict\" nobody can reach them; declare it")
                }
                continue
            }
            if schema.storage == .memory {
                notes.append(
                    "the type \(name) is declared with store \"memory\": its \(table.count) in the"
                        + " log are not loaded, and come back when its store is \"file\" again")
            }
            judge(name, table: table, schema: schema, tell: tell)
        }
        if let torn = stored.torn {
            notes.append(
                "\(torn.count) bytes at the end of \(torn.file) were never acknowledged and are not"
                    + " looked at")
        }
    }

    private mutating func judge(
        _ name: TypeName, table: TableView, schema: TypeSchema, tell: (String) -> Void
    ) {
        var count = 0
        table.forEach { document in
            let limit = count < Self.toldLimit ? Self.faultLimit : 1
            let faults = schema.faults(ofStored: document, limit: limit)
            guard !faults.isEmpty else { return }
            count += 1
            guard count <= Self.toldLimit else { return }
            let id = String(decoding: document.idBytes, as: UTF8.self)
            for fault in faults {
                let place = fault.pointer.isEmpty ? "/" : fault.pointer
                tell("\(name) \(id) \(place) \(fault.detail)")
            }
        }
        if count > Self.toldLimit {
            tell("\(name): \(count - Self.toldLimit) more do not fit")
        }
        unfit += count
    }
}
