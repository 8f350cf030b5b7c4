package import FreshetJSON
package import FreshetOperations
package import FreshetQuery
package import FreshetRemote

/// One of the configuration's `operations`.
package struct OperationConfiguration: Sendable {
    package var id: String
    package var settings: OperationSettings
    /// What it reads, with the type and where from; nil for a mutation.
    package var query: Query?
    /// Of a mutation: the type that it writes and how.
    package var mutation: Mutation?
    /// The member `controllers` as it stands, a list; nil where there is none.
    package var controllers: JSONValue?
    /// The same, read.
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
    /// In the order of the file.
    package var operations: [OperationConfiguration] = []
    /// What specifications may mention, those of REST included.
    package var names = SpecNames()

    package init() {}
}
