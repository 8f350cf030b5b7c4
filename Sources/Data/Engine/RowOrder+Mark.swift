import FreshetJSON
import FreshetQuery

extension RowOrder {
    /// Whether `document` comes behind `mark`, whose values are those of this order's keys. The
    /// order is the canonical one, as the mark's is.
    func isBehind(_ mark: PageMark, _ document: Document) -> Bool {
        switch self {
        case .natural:
            break
        case .keys(let keys):
            for (key, value) in zip(keys, mark.values) {
                let order = Self.compare(document, key: key, value: value, id: mark.id)
                if order != 0 { return key.descending ? order < 0 : order > 0 }
            }
        case .ids(let ranks):
            let place = ranks.place(of: document.idBytes)
            let markPlace = mark.id.withBytes { ranks.place(of: $0) }
            if place != markPlace { return place > markPlace }
        }
        return mark.id.withBytes { EntityID.compare(document.idBytes, $0) } > 0
    }

    /// How `document` stands to the row with `id`, whose value of `key` is `value`.
    private static func compare(
        _ document: Document, key: OrderKey, value: [UInt8]?, id: EntityID
    ) -> Int {
        // Ids order as identifiers; only two strings have cases.
        if key.path.isID,
            !key.caseInsensitive || document.integerID != nil || id.integer != nil
        {
            return id.withBytes { EntityID.compare(document.idBytes, $0) }
        }
        let own = key.path.isID ? document.member(named: "id") : document.view(at: key.path)
        guard let value else {
            return ValueOrder.compare(own, nil, caseInsensitive: key.caseInsensitive)
        }
        return value.withUnsafeBytes {
            ValueOrder.compare(
                own, JSONView(canonical: $0), caseInsensitive: key.caseInsensitive)
        }
    }
}
