import FreshetBase
import FreshetHTTP
import FreshetHTTPServer

/// One line of the route table.
struct Route: Sendable {
    let method: FreshetHTTP.Method
    /// `{name}` stands for one segment. A segment that begins with `_` is never a type.
    let pattern: StaticString
    let endpoint: Endpoint
    /// What the caller must be allowed; there is no default, so that no route forgets it.
    let need: RouteNeed

    init(
        _ method: FreshetHTTP.Method, _ pattern: StaticString, _ endpoint: Endpoint,
        needs need: RouteNeed
    ) {
        self.method = method
        self.pattern = pattern
        self.endpoint = endpoint
        self.need = need
    }
}

/// Finds the endpoint of a method and a path. Immutable; any thread.
///
/// The lines below are the whole surface of the server. They are compiled into a tree of segments
/// once; a look-up compares a few words a segment, busy branches first, and allocates nothing.
struct RouteTable: Sendable {
    static let routes: [Route] = [
        Route(.get, "/", .startPage, needs: .page),
        Route(.get, "/livez", .livez, needs: .nothing),
        Route(.get, "/readyz", .readyz, needs: .nothing),
        Route(.get, "/metrics", .metrics, needs: .token),
        Route(.get, "/version", .version, needs: .nothing),
        Route(.get, "/openapi.json", .openAPI, needs: .description),
        Route(.get, "/problems", .problemIndex, needs: .nothing),
        Route(.get, "/problems/{code}", .problemPage, needs: .nothing),
        Route(.get, "/docs", .documentation, needs: .nothing),
        Route(.get, "/docs/{page}", .documentationPage, needs: .nothing),
        Route(.get, "/llms.txt", .documentationList, needs: .nothing),
        Route(.get, "/json.js", .browserFile, needs: .nothing),
        Route(.get, "/reducer.js", .browserFile, needs: .nothing),
        Route(.get, "/session.js", .browserFile, needs: .nothing),
        Route(.get, "/live.js", .browserFile, needs: .nothing),
        Route(.get, "/freshet.js", .browserFile, needs: .nothing),
        Route(.get, "/freshet.d.ts", .browserFile, needs: .nothing),
        Route(.get, "/console/{file}", .browserFile, needs: .nothing),
        Route(.get, "/console.css", .browserFile, needs: .nothing),
        Route(.get, "/favicon.svg", .browserFile, needs: .nothing),
        Route(.get, "/live.html", .movedPage, needs: .nothing),
        Route(.get, "/favicon.ico", .movedPage, needs: .nothing),

        Route(.get, "/v1", .listTypes, needs: .caller),
        Route(.get, "/v1/_types", .describeTypes, needs: .caller),
        Route(.get, "/v1/_types/{type}", .describeType, needs: .caller),
        Route(.get, "/v1/_types/{type}/infer", .inferType, needs: .caller),
        Route(.get, "/v1/_access/me", .describeCaller, needs: .caller),
        Route(.post, "/v1/_access/check", .checkAccess, needs: .admin),
        Route(.get, "/v1/_tokens", .searchSystemType, needs: .admin),
        Route(.get, "/v1/_tokens/{id}", .getSystemRow, needs: .admin),
        Route(.post, "/v1/_batch", .batch, needs: .operations),
        Route(.get, "/v1/_export", .export, needs: .admin),
        Route(.post, "/v1/_import", .importEntities, needs: .admin),
        Route(.get, "/v1/_store", .describeStore, needs: .admin),
        Route(.post, "/v1/_store/reopen", .reopenStore, needs: .admin),
        Route(.post, "/v1/_store/compact", .compactStore, needs: .admin),
        Route(.post, "/v1/_store/scrub", .scrubStore, needs: .admin),
        Route(.get, "/v1/_upstreams", .listUpstreams, needs: .admin),
        Route(.get, "/v1/_upstreams/{id}", .getRowOfLeader, needs: .admin),
        Route(.post, "/v1/_upstreams/{id}/probe", .probeUpstream, needs: .admin),
        Route(.get, "/v1/_upstreams/{id}/credential", .describeCredential, needs: .admin),
        Route(.put, "/v1/_upstreams/{id}/credential", .setCredential, needs: .admin),
        Route(.delete, "/v1/_upstreams/{id}/credential", .removeCredential, needs: .admin),

        Route(.get, "/v1/{type}", .searchEntities, needs: .read),
        Route(.query, "/v1/{type}", .searchByBody, needs: .read),
        Route(.post, "/v1/{type}", .createEntity, needs: .write),
        Route(.delete, "/v1/{type}", .removeMany, needs: .write),
        Route(.post, "/v1/{type}/_search", .searchByBody, needs: .read),
        Route(.post, "/v1/{type}/_set", .setMany, needs: .write),
        Route(.post, "/v1/{type}/_remove", .removeManyByBody, needs: .write),
        Route(.get, "/v1/{type}/{id}", .getEntity, needs: .read),
        Route(.put, "/v1/{type}/{id}", .setEntity, needs: .write),
        Route(.patch, "/v1/{type}/{id}", .patchEntity, needs: .write),
        Route(.delete, "/v1/{type}/{id}", .removeEntity, needs: .write),

        Route(.get, "/v1/_live", .watchSeveral, needs: .liveQueries),
        Route(.post, "/v1/_live", .createSession, needs: .caller),
        Route(.get, "/v1/_live/{session}", .watchSession, needs: .ticket),
        Route(.patch, "/v1/_live/{session}", .changeSession, needs: .caller),
        Route(.delete, "/v1/_live/{session}", .endSession, needs: .caller),
        Route(.get, "/v1/_streams", .searchSystemType, needs: .admin),
        Route(.get, "/v1/_streams/{id}", .getSystemRow, needs: .admin),
        Route(.delete, "/v1/_streams/{id}", .closeStream, needs: .admin),
        Route(.get, "/v1/_operations", .listOperations, needs: .admin),
        Route(.get, "/v1/_operations/{id}", .showOperation, needs: .admin),
        Route(.delete, "/v1/_operations/{id}", .removeOperation, needs: .admin),
        Route(.post, "/v1/_operations/{id}/run", .runOperation, needs: .admin),
        Route(.post, "/v1/_operations/{id}/cancel", .cancelOperation, needs: .admin),
        Route(.post, "/v1/_operations/{id}/invalidate", .invalidateOperation, needs: .admin),
        Route(.post, "/v1/_operations/{id}/reset", .resetOperation, needs: .admin),
        Route(.post, "/v1/_operations/{id}/pages/{direction}", .fetchPages, needs: .admin),
        Route(.put, "/v1/_operations/{id}/active", .switchOperation, needs: .admin),
        Route(.get, "/v1/_operations/{id}/definition", .describeOperation, needs: .admin),
        Route(.get, "/v1/_operations/{id}/specs", .showSpecifications, needs: .admin),
        Route(.get, "/v1/_operations/{id}/runs", .listRuns, needs: .admin),
        Route(.get, "/v1/_conditions", .listConditions, needs: .admin),
        Route(.patch, "/v1/_conditions", .setConditions, needs: .admin),
        Route(.post, "/v1/_conditions/_forecast", .forecastConditions, needs: .admin),
        Route(.get, "/v1/_conditions/{name}", .showCondition, needs: .admin),
        Route(.put, "/v1/_conditions/{name}", .setCondition, needs: .admin),
        Route(.get, "/v1/_specs", .searchRowsOfLeader, needs: .admin),
        Route(.get, "/v1/_specs/{id}", .getRowOfLeader, needs: .admin),
        Route(.post, "/v1/_specs/evaluate", .evaluateSpec, needs: .admin),
        Route(.get, "/v1/_service", .describeService, needs: .caller),
        Route(.get, "/v1/_service/active", .showServiceSwitch, needs: .admin),
        Route(.put, "/v1/_service/active", .switchService, needs: .admin),
        Route(.get, "/v1/_outbox", .listOutbox, needs: .admin),
        Route(.get, "/v1/_outbox/{id}", .outboxEntry, needs: .admin),
        Route(.delete, "/v1/_outbox/{id}", .removeOutboxEntry, needs: .admin),
        Route(.post, "/v1/_outbox/{id}/retry", .retryOutboxEntry, needs: .admin),
        Route(.get, "/v1/_backup", .backup, needs: .server),
        Route(.get, "/v1/_cluster", .describeCluster, needs: .admin),
        Route(.post, "/v1/_cluster/step-down", .stepDown, needs: .admin),
        Route(.post, "/v1/_cluster/replicas/{id}", .reportReplica, needs: .server),
    ]

    enum Match {
        case found(Endpoint, needs: RouteNeed)
        /// The path exists under other methods only.
        case methodNotAllowed(allowed: MethodSet)
        case notFound
    }

    static let standard = RouteTable(routes)

    /// A place in the tree; plain memory, so that a look-up counts no references.
    private struct Node {
        /// Its literal children: a range of `literals`.
        var literals: Range<Int> = 0..<0
        /// The child that any segment leads to, or -1.
        var parameter = -1
        var methods = MethodSet()
    }

    private struct Goal {
        let endpoint: Endpoint
        let need: RouteNeed
    }

    private struct Literal {
        /// The first bytes and the length of the name: one comparison passes by nearly all others.
        let key: UInt64
        let name: UnsafeRawBufferPointer
        let node: Int
    }

    /// One more than the highest raw value of a method.
    private static let methodCount = Int(FreshetHTTP.Method.other.rawValue) + 1

    // SAFETY: filled by `init` and never written or freed afterwards; there is one table for the
    // life of the process.
    nonisolated(unsafe) private let nodes: UnsafePointer<Node>
    // SAFETY: as `nodes`.
    nonisolated(unsafe) private let literals: UnsafePointer<Literal>
    // SAFETY: as `nodes`; `methodCount` entries a node.
    nonisolated(unsafe) private let endpoints: UnsafePointer<Goal?>

    init(_ routes: [Route]) {
        var tree = [Branch()]
        for route in routes {
            var node = 0
            for segment in route.pattern.description.split(separator: "/") {
                node = Branch.child(of: node, for: String(segment), in: &tree)
                tree[node].weight += 1
            }
            tree[node].endpoints[Int(route.method.rawValue)] = Goal(
                endpoint: route.endpoint, need: route.need)
            tree[node].methods.insert(route.method)
        }
        var nodes: [Node] = []
        var literals: [Literal] = []
        var endpoints: [Goal?] = []
        for branch in tree {
            let first = literals.count
            // `v1` has nearly all routes under it, and comes first.
            let byWeight = branch.literals.sorted { tree[$0.node].weight > tree[$1.node].weight }
            literals += byWeight.map {
                let name = Self.keep(Array($0.name.utf8))
                return Literal(key: Self.key(name), name: name, node: $0.node)
            }
            nodes.append(
                Node(
                    literals: first..<literals.count, parameter: branch.parameter,
                    methods: branch.methods))
            for method in 0..<Self.methodCount { endpoints.append(branch.endpoints[method]) }
        }
        self.nodes = Self.keep(nodes)
        self.literals = Self.keep(literals)
        self.endpoints = Self.keep(endpoints)
    }

    private static func keep<Element>(_ elements: [Element]) -> UnsafePointer<Element> {
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(elements.count, 1))
        memory.initialize(from: elements, count: elements.count)
        return UnsafePointer(memory)
    }

    private static func keep(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
        let memory: UnsafePointer<UInt8> = keep(bytes)
        return UnsafeRawBufferPointer(start: memory, count: bytes.count)
    }

    /// The endpoint of `method` on `path`. A HEAD is answered where a GET is.
    func match(_ method: FreshetHTTP.Method, _ path: borrowing PathSegments) -> Match {
        let wanted = method == .head ? FreshetHTTP.Method.get : method
        if let goal = endpoint(of: Int(wanted.rawValue), path, at: 0, node: 0) {
            return .found(goal.endpoint, needs: goal.need)
        }
        guard let allowed = methods(at: path) else { return .notFound }
        return .methodNotAllowed(allowed: allowed)
    }

    /// What `path` allows, HEAD and OPTIONS included; nil where there is nothing.
    func methods(at path: borrowing PathSegments) -> MethodSet? {
        var allowed = MethodSet()
        collectMethods(path, at: 0, node: 0, into: &allowed)
        return allowed.isEmpty ? nil : allowed.completed
    }

    /// The first of the endpoints that the rest of `path` leads to, literal children before the
    /// parameter. The table is five levels deep, and so is the recursion.
    private func endpoint(
        of method: Int, _ path: borrowing PathSegments, at depth: Int, node: Int
    ) -> Goal? {
        guard depth < path.count else { return endpoints[node * Self.methodCount + method] }
        let segment = path[depth]
        if let child = literal(segment, of: node),
            let found = endpoint(of: method, path, at: depth + 1, node: child)
        {
            return found
        }
        guard let child = parameter(segment, of: node, at: depth) else { return nil }
        return endpoint(of: method, path, at: depth + 1, node: child)
    }

    private func collectMethods(
        _ path: borrowing PathSegments, at depth: Int, node: Int, into methods: inout MethodSet
    ) {
        guard depth < path.count else { return methods.formUnion(nodes[node].methods) }
        let segment = path[depth]
        if let child = literal(segment, of: node) {
            collectMethods(path, at: depth + 1, node: child, into: &methods)
        }
        if let child = parameter(segment, of: node, at: depth) {
            collectMethods(path, at: depth + 1, node: child, into: &methods)
        }
    }

    @inline(__always)
    private func literal(_ segment: UnsafeRawBufferPointer, of node: Int) -> Int? {
        let key = Self.key(segment)
        var index = nodes[node].literals.lowerBound
        let end = nodes[node].literals.upperBound
        while index < end {
            if literals[index].key == key, Bytes.equal(literals[index].name, segment) {
                return literals[index].node
            }
            index += 1
        }
        return nil
    }

    /// The first two bytes, the last, and the length; few names share them.
    @inline(__always)
    private static func key(_ segment: UnsafeRawBufferPointer) -> UInt64 {
        let count = segment.count
        guard count > 1 else { return count == 0 ? 0 : UInt64(segment[0]) << 8 | 1 }
        return UInt64(segment[0]) << 24 | UInt64(segment[1]) << 16 | UInt64(segment[count - 1]) << 8
            | UInt64(truncatingIfNeeded: count) & 0xFF
    }

    @inline(__always)
    private func parameter(
        _ segment: UnsafeRawBufferPointer, of node: Int, at depth: Int
    ) -> Int? {
        let child = nodes[node].parameter
        guard child >= 0, let first = segment.first else { return nil }
        // The second segment is a type; names that begin with `_` are the service's own.
        return depth == 1 && first == UInt8(ascii: "_") ? nil : child
    }

    /// A place in the tree while it grows.
    private struct Branch {
        var literals: [(name: String, node: Int)] = []
        var parameter = -1
        /// Routes that pass here.
        var weight = 0
        var endpoints = [Goal?](repeating: nil, count: RouteTable.methodCount)
        var methods = MethodSet()

        static func child(of node: Int, for segment: String, in tree: inout [Branch]) -> Int {
            let isParameter = segment.hasPrefix("{")
            let known =
                isParameter
                ? tree[node].parameter
                : tree[node].literals.first { $0.name == segment }?.node ?? -1
            if known >= 0 { return known }
            tree.append(Branch())
            let child = tree.count - 1
            if isParameter {
                tree[node].parameter = child
            } else {
                tree[node].literals.append((segment, child))
            }
            return child
        }
    }
}

/// The methods that a path allows.
struct MethodSet: Sendable, Equatable {
    private var bits: UInt16 = 0

    static let all: MethodSet = {
        var set = MethodSet()
        for method in [FreshetHTTP.Method.get, .post, .put, .patch, .delete, .query] {
            set.insert(method)
        }
        return set.completed
    }()

    var isEmpty: Bool { bits == 0 }

    mutating func insert(_ method: FreshetHTTP.Method) { bits |= 1 << UInt16(method.rawValue) }

    mutating func formUnion(_ other: MethodSet) { bits |= other.bits }

    func contains(_ method: FreshetHTTP.Method) -> Bool { bits & 1 << UInt16(method.rawValue) != 0 }

    /// This set with HEAD beside GET, and OPTIONS, which every path answers.
    var completed: MethodSet {
        var set = self
        if set.contains(.get) { set.insert(.head) }
        set.insert(.options)
        return set
    }

    /// The value of `Allow`.
    var text: String {
        let names: [(FreshetHTTP.Method, String)] = [
            (.get, "GET"), (.head, "HEAD"), (.post, "POST"), (.put, "PUT"), (.patch, "PATCH"),
            (.delete, "DELETE"), (.options, "OPTIONS"), (.query, "QUERY"),
        ]
        return names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
    }
}
