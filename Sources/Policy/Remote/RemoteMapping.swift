import FreshetBase
package import FreshetJSON
package import FreshetQuery

/// How a type's entities are had of an upstream and written back: the member `remote` of a type,
/// checked.
package struct RemoteMapping: Sendable, Equatable {
    /// A request for one entity, or one that sends one.
    package struct Call: Sendable, Equatable {
        package var method: String
        package var request: RequestTemplate
        /// Where the entity stands in the answer.
        package var item = JSONPointer()
        /// Whether a create sends the id that the entity has here.
        package var sendsID = true

        package init(method: String, request: RequestTemplate) {
            self.method = method
            self.request = request
        }

        /// What of a caller's parameters the request has no place for, or lacks; nil: nothing.
        package func fault(in parameters: [String: String]) -> (name: String, detail: String)? {
            let places = Set(request.placeholders).subtracting(["id"])
            if let name = parameters.keys.sorted().first(where: { !places.contains($0) }) {
                return (name, "the endpoint has no such parameter")
            }
            let lacking = request.required.first { $0 != "id" && parameters[$0] == nil }
            return lacking.map { ($0, "the upstream's path needs a value of it") }
        }
    }

    /// A request for a list of entities.
    package struct Search: Sendable, Equatable {
        package var request: RequestTemplate
        /// Where the list stands in the answer.
        package var items = JSONPointer()
        /// Where the number of matches stands.
        package var total: JSONPointer?
        /// The entities of a page, where everything is asked for of an upstream that has pages. An
        /// upstream is taken at its word that it serves so many; nil: nobody says so.
        package var pageSize: Int?
        /// What is asked for where nobody says how much an upstream serves.
        package static let standardPageSize = 1_000
        /// The most pages of one answer.
        package var maxPages = 10

        package init(request: RequestTemplate) {
            self.request = request
        }

        /// Whether a caller may give the parameter: the request has a place for it, which the
        /// query's own window does not fill.
        func takes(_ parameter: String) -> Bool {
            !["offset", "limit", "page"].contains(parameter)
                && request.placeholders.contains(parameter)
        }
    }

    /// Whether the upstream's own form of an entity is ours.
    var isPlain: Bool { rename.isEmpty && extract.isEmpty && id.tokens == ["id"] }

    /// Entities of another type inside of these.
    package struct Extraction: Sendable, Equatable {
        /// The member that has the id, or the list of ids, in their place.
        package var member: String
        package var type: TypeName
        /// Where they stand in what the upstream sends.
        package var pointer: JSONPointer
        package var id = JSONPointer(tokens: ["id"])
        package var rename: [Rename] = []

        package init(member: String, type: TypeName, pointer: JSONPointer) {
            self.member = member
            self.type = type
            self.pointer = pointer
        }
    }

    package struct Rename: Sendable, Equatable {
        /// The member's name at the upstream, and here.
        package var remote: String
        package var local: String

        package init(remote: String, local: String) {
            self.remote = remote
            self.local = local
        }
    }

    /// What becomes of a local row whose write the upstream has refused.
    package enum Rejection: String, Sendable, CaseIterable {
        case keep, revert
    }

    package var type: TypeName
    /// The name of the upstream.
    package var upstream: String
    package var get: Call?
    package var search: Search?
    package var create: Call?
    package var update: Call?
    package var remove: Call?
    package var rejected = Rejection.keep
    /// Where an entity's id stands in what the upstream sends.
    package var id = JSONPointer(tokens: ["id"])
    package var rename: [Rename] = []
    package var extract: [Extraction] = []
    /// Named endpoints that are read.
    package var endpoints: [String: Search] = [:]
    /// Named endpoints with a method, which writes go to.
    package var writeEndpoints: [String: Call] = [:]
    /// In place of the upstream's.
    package var fallback: FallbackErrors?

    package init(type: TypeName, upstream: String) {
        self.type = type
        self.upstream = upstream
    }
}

extension RemoteMapping {
    /// A digest of what reads depend on: `RemoteSource.digest`. Secrets are left out, so that a new
    /// token makes nothing unknown.
    func digest(at settings: UpstreamSettings) -> String {
        var parts = ["\(settings.base)"]
        for header in settings.headers where !header.isSecret {
            parts.append("\(header.name): \(header.value.reveal())")
        }
        parts += ["\(id)", "\(rename)", "\(extract)", "\(get as Any)", "\(search as Any)"]
        parts += endpoints.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return SHA256Digest(of: parts.map { "\($0.utf8.count) \($0)" }.joined()).hexadecimal
    }
}
