import FreshetBase
import FreshetHTTP
import FreshetHTTPServer
import FreshetQuery

// Problems of what is not there: an address, an entity, a thing with a name. Each says what was asked
// for and, where there is one, what was probably meant.

extension Problem {
    /// Names and addresses in a problem are cut off behind so many characters.
    private static let longestName = 200

    private static func shown(_ text: String) -> String {
        text.count <= longestName ? text : text.prefix(longestName) + "…"
    }

    /// No `kind` is called `name`.
    ///
    /// - Parameter names: Those that there are, as far as the caller may know them.
    static func absent(
        _ kind: String, _ name: String, among names: some Sequence<String> = [], hint: String
    ) -> Problem {
        Problem(
            .notFound,
            "there is no \(kind) '\(shown(name))'"
                + NearestWord.suggestion(for: name, among: Array(names)),
            hint: hint)
    }

    /// No entity that the caller may read has this id.
    ///
    /// - Parameter changes: The request would have changed it.
    static func absentEntity(_ type: TypeName, _ id: EntityID, changes: Bool = false) -> Problem {
        var address = ByteBuffer(capacity: 128)
        address.append(text: "/v1/\(type.text)/")
        id.withBytes { PercentEncoding.append($0, to: &address) }
        let path = shown(String(decoding: address.bytes, as: UTF8.self))
        let hint =
            if RouteTable.standard.takesPost(in: type, id.text) {
                "\(path) is asked with POST and a body"
            } else if type.isInternal || id.text.hasPrefix("_") || [".", ".."].contains(id.text) {
                "GET /v1/\(type.text) lists what is there"
            } else if changes {
                "PUT \(path) creates it"
            } else {
                "GET /v1/\(type.text) lists what is there, PUT \(path) creates it"
            }
        return Problem(
            .notFound, "there is no entity '\(id.text)' of type '\(type.text)'", hint: hint)
    }

    /// There is no route at `path`.
    static func noRoute(_ path: UnsafeRawBufferPointer) -> Problem {
        let text = String(decoding: path, as: UTF8.self)
        let hint =
            RouteTable.standard.suggestion(for: text).map { "did you mean \(shown($0))?" }
            ?? "GET /v1 lists the types and links to everything else"
        return Problem(.notFound, "there is nothing at \(shown(text))", hint: hint)
    }

    /// The route at `path` has other methods.
    static func method(
        _ method: String, isNotAllowedAt path: UnsafeRawBufferPointer, allowed: MethodSet
    ) -> Problem {
        let text = shown(String(decoding: path, as: UTF8.self))
        let segments = text.split(separator: "/")
        var hint: String?
        if segments.count == 3, allowed.contains(.put), method == "POST", segments[0] == "v1",
            !segments[1].hasPrefix("_")
        {
            hint =
                segments[2].hasPrefix("_")
                ? "POST takes _search, _set and _remove of a type"
                : "PUT \(text) creates or replaces it; POST /v1/\(segments[1]) makes a new id"
        } else if segments.count == 2, allowed.contains(.post), segments[0] == "v1",
            method == "PUT" || method == "PATCH", !segments[1].hasPrefix("_")
        {
            hint =
                "\(method) takes one entity: \(method) \(text)/ID; "
                + "POST \(text)/_set takes many, POST \(text) makes a new one"
        }
        return Problem(
            .methodNotAllowed,
            "\(text) does not take \(shown(method)); it takes \(allowed.text)",
            hint: hint)
    }
}

extension RouteTable {
    /// Whether `name` stands in the place of an id of `type` and is an address of its own.
    func takesPost(in type: TypeName, _ name: String) -> Bool {
        name.hasPrefix("_")
            && Self.routes.contains {
                $0.method == .post && $0.pattern.description == "/v1/{type}/\(name)"
            }
    }

    /// The address that was probably meant by `path`, where there is nothing.
    ///
    /// - Complexity: O(routes × length of the path); for problems only.
    func suggestion(for path: String) -> String? {
        let segments = path.split(separator: "/").map(String.init)
        guard !segments.isEmpty else { return nil }
        let withoutEmpty = "/" + segments.joined(separator: "/")
        if withoutEmpty != path, isRoute(segments) { return withoutEmpty }
        for route in Self.routes {
            if let meant = Self.meant(by: segments, route.pattern.description) { return meant }
        }
        return segments[0] != "v1" && isRoute(["v1"] + segments) ? "/v1" + withoutEmpty : nil
    }

    /// The address of a page, where `path` is that and a slash; other addresses get a problem that
    /// names the right one.
    func page(before path: UnsafeRawBufferPointer) -> String? {
        guard path.count > 1, path.last == UInt8(ascii: "/") else { return nil }
        let text = String(decoding: path.dropLast(), as: UTF8.self)
        let segments = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let isPage = Self.routes.contains { route in
            route.method == .get && route.endpoint.trafficClass == .page
                && Self.fits(segments.map(String.init), route.pattern.description)
        }
        return isPage ? text : nil
    }

    private func isRoute(_ segments: [String]) -> Bool {
        Self.routes.contains { Self.fits(segments, $0.pattern.description) }
    }

    private static func parts(_ pattern: String) -> [String] {
        pattern.split(separator: "/").map(String.init)
    }

    private static func fits(_ segments: [String], _ pattern: String) -> Bool {
        let parts = parts(pattern)
        return parts.count == segments.count
            && zip(parts, segments).enumerated().allSatisfy { index, pair in
                pair.0 == pair.1 || isParameter(pair.0, pair.1, at: index)
            }
    }

    /// `pattern` with the parameters of `segments`, where each literal is one slip away at most.
    private static func meant(by segments: [String], _ pattern: String) -> String? {
        let parts = parts(pattern)
        guard parts.count == segments.count else { return nil }
        var path = ""
        for (index, (part, segment)) in zip(parts, segments).enumerated() {
            if part == segment || isParameter(part, segment, at: index) {
                path += "/" + segment
            } else if !part.hasPrefix("{"), NearestWord.of(segment, among: [part]) != nil {
                path += "/" + part
            } else {
                return nil
            }
        }
        return path
    }

    private static func isParameter(_ part: String, _ segment: String, at index: Int) -> Bool {
        guard part.hasPrefix("{") else { return false }
        return part == "{type}" ? TypeName(segment) != nil : !(index == 1 && segment.hasPrefix("_"))
    }
}
