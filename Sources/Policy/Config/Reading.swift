import FreshetCore
package import FreshetJSON
import FreshetRemote
package import FreshetStore

/// One reading of a configuration: the faults that were found so far, and what its parts may refer
/// to.
package struct Reading {
    package var faults: [ValueFault] = []
    /// The variables that secrets are taken from.
    var environment: [String: String] = [:]
    /// The secrets that were read.
    var secrets: [Secret] = []
    /// What specifications may mention.
    package var names = SpecNames()
    /// Names that are declared, faulty ones included, in the order of the file.
    var upstreams: [String] = []
    var declaredTypes: [String] = []
    /// Operations of the kind `mutation`.
    var mutations: Set<String> = []
    /// Types and remotes in order.
    var types: [TypeSchema] = []
    var remotes: [RemoteMapping] = []
    /// The named specifications, once they are read.
    package var namedSpecs = NamedSpecs()
    /// Nodes of the specification that is being read, and how deep in it we are.
    var specNodes = 0
    var specLevels = 0
    /// What `$` stands for in the rules that are being read.
    var values = RuleValues(subject: nil, claims: nil)
    /// Declarations of properties around the one that is being read, and that one.
    var propertyDepth = 0
    /// Credentials around the one that is being read.
    var outerCredentials = 0

    package init() {}

    /// Notes that the value at `pointer` is not `what`.
    mutating func expected(_ what: String, at pointer: JSONPointer) {
        note("value", "expected \(what)", at: pointer)
    }

    package mutating func note(_ code: String, _ detail: String, at pointer: JSONPointer) {
        faults.append(ValueFault(pointer: pointer.description, code: code, detail: detail))
    }
}
