package import FreshetCore
import FreshetRefresh
import FreshetQuery

extension OperationDefinition {
    /// What the configuration says of an operation, for the core.
    package init?(_ configuration: OperationConfiguration) {
        if let mutation = configuration.mutation {
            self.init(
                configuration.id, Query(type: mutation.type),
                write: Write(rawValue: mutation.write.rawValue), configuration.settings)
        } else if let query = configuration.query {
            self.init(configuration.id, query, configuration.settings)
        } else {
            return nil
        }
    }
}
