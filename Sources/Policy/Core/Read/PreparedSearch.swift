package import FreshetEngine
package import FreshetQuery
package import FreshetStore

/// A compiled query, the immutable view that it will be answered from, and how.
package struct PreparedSearch: Sendable {
    package let plan: SearchPlan
    package let table: TableView
    /// The commit up to which the view is exact.
    package let cursor: Cursor
    /// The way to the rows; nil where it takes time to choose, which a worker does then.
    let choice: SearchChoice?

    package var query: Query { plan.query }

    init(plan: SearchPlan, table: TableView, cursor: Cursor) {
        self.plan = plan
        self.table = table
        self.cursor = cursor
        choice = plan.choosesQuickly ? plan.choose(in: table) : nil
    }
}
