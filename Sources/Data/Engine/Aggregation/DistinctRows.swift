import FreshetQuery

/// Lets the first row of each value through, in the order of the answer.
///
/// Where rows arrive in that order the first to come is the first. Else it is known only at the
/// end: rows are kept back, one a value, and go on when all have come.
final class DistinctRows {
    private let finder: MemberFinder
    /// nil where rows arrive in order.
    private let order: RowOrder?
    private var table = ValueTable()
    /// The first row so far of each value; none where rows arrive in order.
    private(set) var held: [Document] = []

    init(_ path: PropertyPath, order: RowOrder?) {
        finder = MemberFinder(path)
        self.order = order
    }

    /// Whether the rows go on only when all have come.
    var holdsBack: Bool { order != nil }

    /// Whether `document` goes on at once.
    ///
    /// - Throws: `.answerTooLarge` past the values that a table holds.
    func take(_ document: Document) throws(EngineError) -> Bool {
        guard let (index, isNew) = table.number(of: finder.value(in: document)) else {
            throw .answerTooLarge(
                parameter: "distinct",
                "there are more than \(ValueTable.maximumCount) values of the property")
        }
        guard let order else { return isNew }
        if isNew {
            held.append(document)
        } else if order.compare(document, held[index]) < 0 {
            held[index] = document
        }
        return false
    }
}
