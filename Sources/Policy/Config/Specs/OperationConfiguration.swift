package import FreshetJSON
package import FreshetRefresh
package import FreshetQuery
package import FreshetRemote

/// An operation that the configuration declares.
package struct OperationConfiguration: Sendable {
    package var id: String
    package var settings: OperationSettings
    /// What it reads, with the type and where from; nil for a mutation.
    package var query: Query?
    /// The type that a mutation writes, and how; nil for a query.
    package var mutation: Mutation?
    /// The member `controllers` as it stands, a list; nil where there is none.
    package var controllers: JSONValue?
    /// The controllers as they were read.
    package var controlled: [ControllerSettings] = []

    package struct Mutation: Sendable, Equatable {
        package enum Write: String, Sendable, CaseIterable {
            case create, update, remove
        }

        package let type: TypeName
        package let write: Write
    }
}

/// The members `conditions`, `specs` and `operations` of the configuration.
package struct OperationsConfiguration: Sendable {
    package var conditions: [ConditionDeclaration] = []
    package var specs: [String: SpecExpression] = [:]
    /// The operations in the order of the file.
    package var operations: [OperationConfiguration] = []
    /// What specifications may mention, those of REST included.
    package var names = SpecNames()

    package init() {}
}
