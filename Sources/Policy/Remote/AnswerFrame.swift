import FreshetBase
import FreshetJSON

/// The content of an answer, which is JSON as a whole or nothing.
struct AnswerFrame {
    private let endpoint: String
    /// Canonical.
    private let text: [UInt8]

    /// - Throws: `.shape` for what is no JSON.
    init(
        _ response: UpstreamResponse, endpoint: String, items: JSONPointer? = nil
    ) throws(UpstreamError) {
        self.endpoint = endpoint
        let declared = response.header("Content-Type") ?? ""
        let type = declared.prefix { $0 != ";" }.lowercased()
        // Looking into the text costs more than the rest of this; nearly all answers say JSON.
        if type != "application/json", type.contains("html") || type.contains("xml") {
            throw .shape(
                endpoint: endpoint, pointer: "",
                detail: type.contains("html") ? "JSON, not HTML" : "JSON, not XML")
        }
        guard !response.body.isEmpty else {
            throw .shape(endpoint: endpoint, pointer: "", detail: "JSON, not an empty answer")
        }
        text = try Self.canonical(response.body, endpoint, items)
    }

    /// Calls `body` with the value at `pointer`.
    ///
    /// - Throws: `.shape` where there is none.
    func withValue<Value>(
        at pointer: JSONPointer, _ body: (JSONView) -> Value
    ) throws(UpstreamError) -> Value {
        let value = text.withUnsafeBytes { bytes in
            pointer.resolve(JSONView(canonical: bytes)).map(body)
        }
        guard let value else { throw fault(at: pointer, "a value") }
        return value
    }

    func fault(at pointer: JSONPointer, _ expected: Excerpt) -> UpstreamError {
        .shape(endpoint: endpoint, pointer: pointer.description, detail: expected)
    }

    private static func canonical(
        _ body: [UInt8], _ endpoint: String, _ items: JSONPointer?
    ) throws(UpstreamError) -> [UInt8] {
        // Some servers begin their JSON with a byte order mark.
        var body = body.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(body.dropFirst(3)) : body
        var scanner = JSONScanner(depthLimit: JSONScanner.frameDepth)
        var isRepaired = false
        while true {
            let result = body.withUnsafeBytes { bytes in
                Result { () throws(JSONFault) -> [UInt8] in
                    let summary = try scanner.scan(bytes)
                    let text = UnsafeRawBufferPointer(rebasing: bytes[summary.start..<summary.end])
                    if summary.isCanonical { return Array(text) }
                    var buffer = ByteBuffer(capacity: text.count + 32)
                    JSONCanonical.compact(text, into: &buffer)
                    return Array(buffer.bytes)
                }
            }
            do throws(JSONFault) {
                return try result.get()
            } catch {
                guard !isRepaired, let items, ElementRepair.isOfElement(error),
                    ElementRepair.blankFaulty(&body, items: items)
                else {
                    throw .shape(
                        endpoint: endpoint, pointer: "",
                        detail: Excerpt(
                            own: "JSON: \(error.expectation) at byte \(error.offset)"))
                }
                isRepaired = true
            }
        }
    }
}
