import FreshetJSON
import Testing

@testable import FreshetServer

/// What the API description says of the answers of each operation. Each answer that a test is given
/// is held against it.
enum DescribedAnswer {
    private struct Operation {
        let statuses: Set<String>
        let codes: Set<String>
    }

    private static let document = (try? JSONValue.parse(OpenAPIDocument.json.description)) ?? .null

    /// By the segments of the path, then by the method.
    private static let paths: [(segments: [Substring], operations: [String: Operation])] =
        (document["paths"]?.objectValue ?? []).map { path in
            var operations: [String: Operation] = [:]
            for member in path.value.objectValue ?? [] {
                operations[member.name] = Operation(
                    statuses: Set((member.value["responses"]?.objectValue ?? []).map(\.name)),
                    codes: words(member.value["x-codes"]))
            }
            return (path.name.split(separator: "/"), operations)
        }

    /// The codes that come before an operation is known.
    private static let general = words(document["x-codes"])

    private static func words(_ list: JSONValue?) -> Set<String> {
        Set((list?.arrayValue ?? []).compactMap(\.stringValue))
    }

    /// What is not as it is described, or nil.
    static func fault(_ method: String, _ target: String, _ response: TestResponse) -> String? {
        let text = target.prefix { $0 != "?" }
        let pieces = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        // A slash at the end leads to another address.
        let path = text == "/" ? [] : Array(pieces)
        let found = paths.filter { fits($0.segments, path) }
            .max { literals($0.segments) < literals($1.segments) }
        let name = method == "QUERY" ? "x-query" : method.lowercased()
        guard let operations = found?.operations,
            let operation = operations[name] ?? operations[name == "head" ? "get" : name]
        else { return nil }
        let code =
            response.header("Content-Type") == "application/problem+json"
            ? (try? JSONValue.parse(response.body))?["code"]?.stringValue : nil
        if let code {
            if general.contains(code) { return nil }
            guard operation.codes.contains(code) else {
                return "\(method) \(target): x-codes does not have \(code)"
            }
        }
        guard operation.statuses.contains("\(response.status)") else {
            return "\(method) \(target): \(response.status) \(code ?? "") is not described"
        }
        return nil
    }

    private static func literals(_ segments: [Substring]) -> Int {
        segments.reduce(0) { $0 + ($1.hasPrefix("{") ? 0 : 1) }
    }

    private static func fits(_ segments: [Substring], _ path: [Substring]) -> Bool {
        segments.count == path.count
            && zip(segments, path).enumerated().allSatisfy { depth, pair in
                // Names of types do not begin with `_`.
                pair.0.hasPrefix("{")
                    ? !pair.1.isEmpty && (depth != 1 || !pair.1.hasPrefix("_")) : pair.0 == pair.1
            }
    }
}

@Suite("What the description says of answers")
struct DescribedAnswerTests {
    private static let document = (try? JSONValue.parse(OpenAPIDocument.json.description)) ?? .null

    /// Where a handler names another status than the table: a run that cannot be, an answer that would
    /// be too large.
    private static let otherStatuses = ["bad-request": "409", "query-too-complex": "422"]

    private static var operations: [(name: String, operation: JSONValue)] {
        (document["paths"]?.objectValue ?? []).flatMap { path in
            (path.value.objectValue ?? []).compactMap { member in
                member.value["operationId"]?.stringValue.map { ($0, member.value) }
            }
        }
    }

    @Test("x-codes are codes of the program, each with a status that the operation has")
    func codes() {
        var used = Set((Self.document["x-codes"]?.arrayValue ?? []).compactMap(\.stringValue))
        for (name, operation) in Self.operations {
            let codes = (operation["x-codes"]?.arrayValue ?? []).compactMap(\.stringValue)
            #expect(!codes.isEmpty && codes == Set(codes).sorted(), "\(name)")
            used.formUnion(codes)
            let statuses = (operation["responses"]?.objectValue ?? []).map(\.name)
                .filter { $0 >= "400" }
            var reached: Set<String> = []
            for code in codes {
                guard let known = ProblemCode(rawValue: code) else {
                    Issue.record("\(name): the program knows no \(code)")
                    continue
                }
                reached.insert("\(known.status)")
                #expect(statuses.contains("\(known.status)"), "\(name): \(code) has no answer")
            }
            for (code, other) in Self.otherStatuses where codes.contains(code) {
                reached.insert(other)
            }
            #expect(Set(statuses).subtracting(reached) == [], "\(name): answers without a code")
        }
        #expect(Self.operations.count > 60)
        #expect(used == Set(ProblemCode.allCases.map(\.rawValue)))
    }

    @Test("An answer that is not described is found")
    func samples() {
        func fault(_ method: String, _ target: String, _ status: Int, _ code: String) -> String? {
            DescribedAnswer.fault(
                method, target,
                TestResponse(
                    status: status,
                    headers: [("Content-Type", "application/problem+json")],
                    body: #"{"code":"\#(code)"}"#))
        }
        #expect(fault("GET", "/v1/task/1", 404, "not-found") == nil)
        #expect(fault("POST", "/v1/task/1", 405, "method-not-allowed") == nil)
        #expect(fault("GET", "/v1/task/1", 404, "exists") != nil)
        #expect(fault("GET", "/v1/task/1", 418, "not-found") != nil)
        #expect(fault("POST", "/v1/_batch?x=1", 404, "exists") != nil)
        #expect(fault("GET", "/nowhere", 404, "exists") == nil)
    }
}
