/// The methods that routes are made of; all others are `other` and named by their bytes.
package enum Method: UInt8, Sendable, CaseIterable {
    case get, head, post, put, patch, delete, options, query, other

    /// True where a request changes nothing (RFC 9110 9.2.1); the origin check spares these.
    @inlinable package var isSafe: Bool {
        switch self {
        case .get, .head, .options, .query: true
        case .post, .put, .patch, .delete, .other: false
        }
    }

    /// The token in a request line; "other" for methods that nobody knows.
    package var name: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .query: "QUERY"
        case .other: "other"
        }
    }

    /// Methods are case-sensitive (RFC 9110 9.1): `get` is another one.
    init(_ token: UnsafeRawBufferPointer) {
        switch token.count {
        case 3:
            self = token.equals("GET") ? .get : token.equals("PUT") ? .put : .other
        case 4:
            self = token.equals("POST") ? .post : token.equals("HEAD") ? .head : .other
        case 5:
            self = token.equals("PATCH") ? .patch : token.equals("QUERY") ? .query : .other
        case 6:
            self = token.equals("DELETE") ? .delete : .other
        case 7:
            self = token.equals("OPTIONS") ? .options : .other
        default:
            self = .other
        }
    }
}
