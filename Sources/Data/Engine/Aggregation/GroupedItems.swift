import FreshetJSON
package import FreshetQuery

/// The rows of a window by the values of a property: groups in order of first appearance, rows in
/// each as they stood.
package struct GroupedItems: Sendable {
    package struct Group: Sendable {
        /// The value's canonical JSON as the first row spells it; `null` also where it has none.
        package let key: [UInt8]
        /// Where the group's rows are in `documents`.
        package let rows: Range<Int>
    }

    /// The rows, group by group.
    package let documents: [Document]
    package let groups: [Group]

    /// - Complexity: O(rows).
    /// - Throws: `.answerTooLarge` past the values that a table holds.
    init(_ rows: [Document], by path: PropertyPath) throws(EngineError) {
        let finder = MemberFinder(path)
        var table = ValueTable()
        var members: [[Document]] = []
        // `rows` keeps the bytes that the table's values are.
        for document in rows {
            guard let (index, isNew) = table.number(of: finder.value(in: document)) else {
                throw .answerTooLarge(
                    parameter: "group",
                    "there are more than \(ValueTable.maximumCount) values of the property")
            }
            if isNew { members.append([]) }
            members[index].append(document)
        }
        var documents: [Document] = []
        documents.reserveCapacity(rows.count)
        var groups: [Group] = []
        for group in members {
            let start = documents.count
            documents += group
            let key = ValueTable.spelled(finder.value(in: group[0]))
            groups.append(Group(key: Array(key), rows: start..<documents.count))
        }
        withExtendedLifetime(rows) {}
        self.documents = documents
        self.groups = groups
    }
}
