import FreshetBase
import FreshetJSON
import Testing

@testable import FreshetRemote

@Suite("Answers of token endpoints")
struct OAuth2TokenTests {
    private func parse(_ text: String) -> String {
        do throws(OAuth2TokenAnswer.Fault) {
            let answer = try OAuth2TokenAnswer(parsing: Array(text.utf8))
            let lifetime = answer.lifetime.map { "\($0 / .milliseconds(1))" } ?? "-"
            return
                "\(answer.accessToken.reveal()) \(answer.refreshToken?.reveal() ?? "-") \(lifetime)"
        } catch {
            #expect(!error.sentence.contains("canary"), "\(error.sentence)")
            return String(error.sentence.split(separator: " ").last ?? "")
        }
    }

    @Test(
        "Members are checked and bounded",
        arguments: [
            (#"{"access_token":"a"}"#, "a - -"),
            (
                #"{"access_token":"a","token_type":"bearer","expires_in":3600,"refresh_token":"r"}"#,
                "a r 3600000.0"
            ),
            (#"{"access_token":"a","expires_in":"60"}"#, "a - 60000.0"),
            (#"{"access_token":"a","expires_in":0.5}"#, "a - 500.0"),
            (#"{"access_token":"a","expires_in":0}"#, "a - 0.0"),
            (#"{"access_token":"a","expires_in":1e300}"#, "a - 315360000000.0"),
            (#"{"access_token":"a","expires_in":1e999}"#, "a - 315360000000.0"),
            (#"{"access_token":"a","expires_in":null,"refresh_token":null}"#, "a - -"),
            (#"{"access_token":"a","expires_in":-1}"#, "expires_in"),
            (#"{"access_token":"a","expires_in":"soon"}"#, "expires_in"),
            (#"{"access_token":"a","expires_in":true}"#, "expires_in"),
            (#"{"access_token":"a","expires_in":[60]}"#, "expires_in"),
            (#"{"access_token":""}"#, "access_token"),
            (#"{"access_token":7}"#, "access_token"),
            (#"{"access_token":null}"#, "access_token"),
            (#"{"access_token":"canary\r\nX-Evil: 1"}"#, "access_token"),
            (#"{"access_token":"canary é"}"#, "access_token"),
            (#"{"access_token":" canary"}"#, "access_token"),
            (#"{"access_token":"a","refresh_token":""}"#, "refresh_token"),
            (#"{"access_token":"a","refresh_token":"canary\u0000"}"#, "refresh_token"),
            (#"{"access_token":"a","refresh_token":{}}"#, "refresh_token"),
            (#"{"token":"canary"}"#, "access_token"), (#"["canary"]"#, "object"),
            (#""canary""#, "object"), ("", "object"), ("<html>canary</html>", "object"),
            (#"{"access_token":"canary""#, "object"),
            (#"{"access_token":"a","access_token":"canary"}"#, "object"),
            (String(repeating: "[", count: 100_000), "object"),
            (#"{"access_token":"\#(String(repeating: "t", count: 16 << 10))x"}"#, "access_token"),
            (#"{"access_token":"a","x":"\#(String(repeating: "t", count: 64 << 10))"}"#, "object"),
        ])
    func table(text: String, expected: String) {
        #expect(parse(text) == expected)
    }

    @Test("Every answer cut short or with a byte changed is taken or refused, never a crash")
    func damage() {
        let seed = UInt64.random(in: 0 ... .max)
        print("token answers: seed \(seed)")
        var state = seed
        let good = Array(
            #"{"access_token":"abc.def","token_type":"Bearer","expires_in":3600,"refresh_token":"r1"}"#
                .utf8)
        for count in 0...good.count { _ = try? OAuth2TokenAnswer(parsing: Array(good[..<count])) }
        for _ in 0..<5_000 {
            var bytes = good
            for _ in 0..<3 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[Int((state >> 33) % UInt64(bytes.count))] = UInt8(
                    truncatingIfNeeded: state >> 20)
            }
            if let answer = try? OAuth2TokenAnswer(parsing: bytes) {
                #expect(answer.accessToken.reveal().utf8.allSatisfy { (0x20...0x7E).contains($0) })
            }
        }
    }

    @Test("Forms and basic credentials are encoded as the standards say")
    func encodings() {
        #expect(FormText.encode("a b&c=d/é~*-._") == "a+b%26c%3Dd%2F%C3%A9%7E*-._")
        for (text, expected) in [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy"),
        ] {
            #expect(Base64.encode(Array(text.utf8)) == expected)
        }
        #expect(Base64.encode([0xFB, 0xFF, 0xFE]) == "+//+")
    }
}
