package import FreshetEngine
package import FreshetQuery
package import FreshetStore

/// Why the core refused a request before anything happened.
package enum CoreError: Error {
    /// A strict configuration does not declare this type.
    case unknownType(TypeName)
    /// The body is no entity.
    case document(DocumentFault)
    /// The entity breaks its type's schema.
    case invalid(EntityFaults)
    /// The server would have to make an id, and the type's ids are integers.
    case idRequired(TypeName)
    case query(QueryFault)
    case engine(EngineError)
    /// One caller watches as many queries as it may.
    case tooManyLiveQueries(limit: Int)
    /// The caller may cause no request to the remote of this type, and asked for one.
    case upstreamForbidden(TypeName)
    /// Too much work is queued already; try later.
    case overloaded

    /// The live query is good, and there was no room for it beside the others.
    package var isOfLiveBounds: Bool {
        switch self {
        case .tooManyLiveQueries, .engine(.tooManyResidualQueries), .engine(.tooManyFilterBytes):
            true
        default: false
        }
    }
}
