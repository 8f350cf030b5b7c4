import Testing

@testable import FreshetRemote

@Suite("Secrets")
struct SecretTests {
    @Test("A secret is not shown by any way of turning a value into text")
    func redacted() {
        let secret = Secret("hunter2-canary")
        struct Holder {
            let name = "x"
            let secret: Secret
        }
        let holder = Holder(secret: secret)
        var dumped = ""
        dump(secret, to: &dumped)
        dump(holder, to: &dumped)
        let texts = [
            "\(secret)", "\(holder)", "\([secret])", "\(["a": secret])",
            "\(Optional(secret) as Any)",
            String(describing: secret), String(reflecting: secret), String(reflecting: holder),
            "\(Mirror(reflecting: secret).children.map { "\($0)" })", dumped,
        ]
        for text in texts { #expect(!text.contains("hunter2"), "\(text)") }
        #expect(secret.reveal() == "hunter2-canary")
        #expect("\(secret)" == "***")
    }
}
