import FreshetHTTP

/// What a request asks for: one case and one handler file each.
enum Endpoint: Sendable {
    case listTypes, startPage
    case searchEntities, searchByBody, createEntity, setMany, removeMany, removeManyByBody
    case getEntity, setEntity, patchEntity, removeEntity
    case batch, describeTypes, describeType, export, importEntities
    case livez, readyz, metrics, version, openAPI, problemIndex, problemPage
    /// Named in the contract, built in a later stage: 501.
    case notBuilt
}

/// One line of the route table.
struct Route: Sendable {
    let method: Method
    /// `{name}` stands for one segment. A segment that begins with `_` is never a type.
    let pattern: StaticString
    let endpoint: Endpoint

    init(_ method: Method, _ pattern: StaticString, _ endpoint: Endpoint) {
        self.method = method
        self.pattern = pattern
        self.endpoint = endpoint
    }
}

/// Finds the endpoint of a method and a path. Immutable; any thread.
///
/// The lines below are the whole surface of the server. They are compiled into a tree of segments
/// once; a look-up compares a few bytes a segment and allocates nothing.
struct RouteTable: Sendable {
    static let routes: [Route] = [
        Route(.get, "/", .startPage),
        Route(.get, "/livez", .livez),
        Route(.get, "/readyz", .readyz),
        Route(.get, "/metrics", .metrics),
        Route(.get, "/version", .version),
        Route(.get, "/openapi.json", .openAPI),
        Route(.get, "/problems", .problemIndex),
        Route(.get, "/problems/{code}", .problemPage),

        Route(.get, "/v1", .listTypes),
        Route(.get, "/v1/_types", .describeTypes),
        Route(.get, "/v1/_types/{type}", .describeType),
        Route(.post, "/v1/_batch", .batch),
        Route(.get, "/v1/_export", .export),
        Route(.post, "/v1/_import", .importEntities),

        Route(.get, "/v1/{type}", .searchEntities),
        Route(.query, "/v1/{type}", .searchByBody),
        Route(.post, "/v1/{type}", .createEntity),
        Route(.delete, "/v1/{type}", .removeMany),
        Route(.post, "/v1/{type}/_search", .searchByBody),
        Route(.post, "/v1/{type}/_set", .setMany),
        Route(.post, "/v1/{type}/_remove", .removeManyByBody),
        Route(.get, "/v1/{type}/{id}", .getEntity),
        Route(.put, "/v1/{type}/{id}", .setEntity),
        Route(.patch, "/v1/{type}/{id}", .patchEntity),
        Route(.delete, "/v1/{type}/{id}", .removeEntity),

        Route(.get, "/v1/_live", .notBuilt),  // 501
        Route(.post, "/v1/_live", .notBuilt),  // 501
        Route(.get, "/v1/_live/{session}", .notBuilt),  // 501
        Route(.patch, "/v1/_live/{session}", .notBuilt),  // 501
        Route(.delete, "/v1/_live/{session}", .notBuilt),  // 501
        Route(.get, "/v1/_operations", .notBuilt),  // 501
        Route(.get, "/v1/_operations/{id}", .notBuilt),  // 501
        Route(.delete, "/v1/_operations/{id}", .notBuilt),  // 501
        Route(.post, "/v1/_operations/{id}/{action}", .notBuilt),  // 501
        Route(.put, "/v1/_operations/{id}/active", .notBuilt),  // 501
        Route(.get, "/v1/_operations/{id}/specs", .notBuilt),  // 501
        Route(.get, "/v1/_conditions", .notBuilt),  // 501
        Route(.patch, "/v1/_conditions", .notBuilt),  // 501
        Route(.get, "/v1/_conditions/{name}", .notBuilt),  // 501
        Route(.put, "/v1/_conditions/{name}", .notBuilt),  // 501
        Route(.post, "/v1/_specs/evaluate", .notBuilt),  // 501
        Route(.put, "/v1/_service/active", .notBuilt),  // 501
        Route(.get, "/v1/_upstreams", .notBuilt),  // 501
        Route(.get, "/v1/_upstreams/{id}/credential", .notBuilt),  // 501
        Route(.put, "/v1/_upstreams/{id}/credential", .notBuilt),  // 501
        Route(.delete, "/v1/_upstreams/{id}/credential", .notBuilt),  // 501
        Route(.get, "/v1/_outbox", .notBuilt),  // 501
        Route(.get, "/v1/_outbox/{id}", .notBuilt),  // 501
        Route(.delete, "/v1/_outbox/{id}", .notBuilt),  // 501
        Route(.post, "/v1/_outbox/{id}/retry", .notBuilt),  // 501
        Route(.get, "/v1/_backup", .notBuilt),  // 501
        Route(.post, "/v1/_store/reopen", .notBuilt),  // 501
    ]

    enum Match {
        case found(Endpoint)
        /// The path exists under other methods only.
        case methodNotAllowed(allowed: MethodSet)
        case notFound
    }

    static let standard = RouteTable(routes)

    private let root: Node

    init(_ routes: [Route]) {
        root = Node()
        for route in routes {
            var node = root
            let segments = route.pattern.description.split(separator: "/")
            for segment in segments { node = node.child(for: String(segment)) }
            node.endpoints[Int(route.method.rawValue)] = route.endpoint
            node.methods.insert(route.method)
        }
    }

    /// The endpoint of `method` on `path`. A HEAD is answered where a GET is.
    func match(_ method: Method, _ path: borrowing PathSegments) -> Match {
        let wanted = method == .head ? Method.get : method
        var found: Endpoint?
        var allowed = MethodSet()
        Self.visit(root, path, at: 0) { node in
            if found == nil { found = node.endpoints[Int(wanted.rawValue)] }
            allowed.formUnion(node.methods)
        }
        if let found { return .found(found) }
        return allowed.isEmpty ? .notFound : .methodNotAllowed(allowed: allowed.completed)
    }

    /// What `path` allows, HEAD and OPTIONS included; nil where there is nothing.
    func methods(at path: borrowing PathSegments) -> MethodSet? {
        var allowed = MethodSet()
        Self.visit(root, path, at: 0) { allowed.formUnion($0.methods) }
        return allowed.isEmpty ? nil : allowed.completed
    }

    /// Calls `body` for the nodes that `path` leads to, the most literal one first; at most a
    /// handful, since the table is four levels deep.
    private static func visit(
        _ node: Node, _ path: borrowing PathSegments, at depth: Int, _ body: (Node) -> Void
    ) {
        guard depth < path.count else { return body(node) }
        let segment = path[depth]
        for (name, child) in node.literals
        where name.count == segment.count && segment.elementsEqual(name) {
            visit(child, path, at: depth + 1, body)
        }
        guard let child = node.parameter, !segment.isEmpty else { return }
        // The second segment is a type; names that begin with `_` are the service's own.
        if depth == 1, segment[0] == UInt8(ascii: "_") { return }
        visit(child, path, at: depth + 1, body)
    }

    /// A place in the tree. Written by `init` only.
    // SAFETY: mutated while the table is made, by one thread; never after it is shared.
    private final class Node: @unchecked Sendable {
        var literals: [(name: [UInt8], node: Node)] = []
        var parameter: Node?
        var endpoints = [Endpoint?](repeating: nil, count: 16)
        var methods = MethodSet()

        func child(for segment: String) -> Node {
            if segment.hasPrefix("{") {
                let child = parameter ?? Node()
                parameter = child
                return child
            }
            let name = Array(segment.utf8)
            if let known = literals.first(where: { $0.name == name }) { return known.node }
            let child = Node()
            literals.append((name, child))
            return child
        }
    }
}

/// The methods that a path allows.
struct MethodSet: Sendable, Equatable {
    private var bits: UInt16 = 0

    static let all: MethodSet = {
        var set = MethodSet()
        for method in [Method.get, .post, .put, .patch, .delete, .query] { set.insert(method) }
        return set.completed
    }()

    var isEmpty: Bool { bits == 0 }

    mutating func insert(_ method: Method) { bits |= 1 << UInt16(method.rawValue) }

    mutating func formUnion(_ other: MethodSet) { bits |= other.bits }

    func contains(_ method: Method) -> Bool { bits & 1 << UInt16(method.rawValue) != 0 }

    /// With HEAD beside GET, and OPTIONS, which every path answers.
    var completed: MethodSet {
        var set = self
        if set.contains(.get) { set.insert(.head) }
        set.insert(.options)
        return set
    }

    /// The value of `Allow`.
    var text: String {
        let names: [(Method, String)] = [
            (.get, "GET"), (.head, "HEAD"), (.post, "POST"), (.put, "PUT"), (.patch, "PATCH"),
            (.delete, "DELETE"), (.options, "OPTIONS"), (.query, "QUERY"),
        ]
        return names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
    }
}
