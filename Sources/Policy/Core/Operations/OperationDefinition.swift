package import FreshetRefresh
package import FreshetQuery

/// A configured operation, its query read.
package struct OperationDefinition: Sendable {
    package typealias Write = OutboxEntry.Operation

    package let id: String
    /// What is asked; of a mutation its type alone counts.
    package let query: Query
    /// What a mutation does; nil for all else.
    package let write: Write?
    package let settings: OperationSettings

    package init(
        _ id: String, _ query: Query, write: Write? = nil, _ settings: OperationSettings
    ) {
        self.id = id
        self.query = query
        self.write = write
        self.settings = settings
    }
}
