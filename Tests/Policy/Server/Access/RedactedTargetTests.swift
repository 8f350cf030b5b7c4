import Testing

@testable import FreshetServer

/// What of a request's target a log may have.
@Suite struct RedactedTargetTests {
    @Test(
        arguments: [
            ("/v1/t", "/v1/t"), ("/v1/t?limit=1", "/v1/t?limit=1"),
            ("/v1/t?access_token=abc&limit=1", "/v1/t?access_token=***&limit=1"),
            ("/v1/t?q.a=/v1/u?token=x", "/v1/t?q.a=***"),
            ("/v1/t?%74oken=abc", "/v1/t?%74oken=***"),
            // A mark makes one character of itself and what is before it.
            ("/v1/t?token=\u{301}abc", "/v1/t?token=***"),
            ("/v1/t?\u{301}token=abc", "/v1/t?\u{301}token=***"),
            ("/v1/t?a=1&\u{301}token=abc", "/v1/t?a=1&\u{301}token=***"),
            ("/v1/t?q.\u{301}a=token", "/v1/t?q.\u{301}a=***"),
        ])
    func valuesOfSecretsAreHidden(target: String, told: String) {
        let text = Array(target.utf8).withUnsafeBytes { RedactedTarget.text($0) }
        #expect(Array(text.utf8) == Array(told.utf8))
    }
}
