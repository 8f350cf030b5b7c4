import FreshetQuery
import Testing

@testable import FreshetCore

/// What a row rule says of rows that take long.
@Suite struct RowRuleTests {
    private func document(_ json: String) throws -> Document {
        var builder = DocumentBuilder()
        return try Array(json.utf8).withUnsafeBytes { try builder.build(json: $0, id: .fromBody) }
    }

    @Test func aRowThatCannotBeJudgedIsHiddenAndNoOther() throws {
        let tests = (10..<700).map { "t has \($0)" }.joined(separator: " or ")
        let rule = try RowRule(try Filter(parsing: "not (\(tests))"))
        let elements = Array(repeating: "7", count: 150_000).joined(separator: ",")
        #expect(try !rule.admits(document("{\"id\":1,\"t\":[\(elements),699]}")))
        #expect(try rule.admits(document(#"{"id":2,"t":[7]}"#)))
        #expect(try !rule.admits(document(#"{"id":3,"t":[7,699]}"#)))
    }
}
