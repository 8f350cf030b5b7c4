import FreshetTestSupport
import Testing

@testable import FreshetRemote

@Suite("Masks of secrets")
struct SecretMaskTests {
    private func masked(_ text: String, _ secrets: String...) -> String {
        let mask = SecretMask(secrets.map { Secret($0) })
        return String(decoding: mask.applied(to: Array(text.utf8)), as: UTF8.self)
    }

    @Test(
        "A secret is found as it is, in another case, and escaped for a URL, JSON or HTML",
        arguments: [
            #"k"1/é+ %x&<>"#, #"K"1/é+ %X&<>"#,
            "k%221%2F%C3%A9%2B%20%25x%26%3C%3E", "k%221%2f%c3%a9%2b+%25x%26%3c%3e",
            #"k\"1\/\u00e9+ %x&<>"#, #"\u006B\u00221\u002f\u00E9\u002B\u0020%x\u0026\u003c\u003e"#,
            "k&quot;1/&#233;+ %x&amp;&lt;&gt;", "k&#34;1/&#xE9;+ %x&AMP;&#x3c;&#62;",
        ])
    func forms(text: String) {
        #expect(masked("a \(text) b", #"k"1/é+ %x&<>"#) == "a *** b")
    }

    @Test("Characters beyond the first plane are escaped in two units")
    func surrogates() {
        #expect(masked(#"<key-\uD83D\ude00>"#, "key-😀") == "<***>")
    }

    @Test("A beginning is masked where it is long enough to tell, and at the end of a text")
    func beginnings() {
        let secret = "0123456789abcdefgh"
        #expect(masked("0123456 ends", secret) == "0123456 ends")
        #expect(masked("01234567... ends", secret) == "***... ends")
        #expect(masked("ends 0123", secret) == "ends ***")
        #expect(masked("ends 012", secret) == "ends 012")
        #expect(masked("<secre>", "secret") == "<***>")
        #expect(masked("<sec>", "secret") == "<sec>")
    }

    @Test(
        "One that is shorter than four bytes is not looked for, and nothing is where there is none")
    func short() {
        #expect(masked("an apple", "app") == "an apple")
        #expect(masked("an apple", "appl") == "an ***e")
        #expect(masked("an apple") == "an apple")
        #expect(masked("an apple", "") == "an apple")
    }

    @Test("The longest of several counts, and one behind the other is one mask")
    func several() {
        #expect(masked("<abcdefgh>", "abcd", "abcdefgh", "efgh") == "<***>")
        #expect(masked("<abcdefgh>", "abcd", "efgh") == "<***>")
        #expect(masked("aaaaaaaaaab", "aaaab") == "***")
    }

    @Test("Of whatever text, however cut and escaped, nothing remains that tells a secret")
    func random() {
        let seed = TestSeed.first
        var random = SplitMix(seed: seed)
        let alphabet = Array(#"abZ09"\/+ %&<>=é"#)
        let escapes: [(Character) -> String] = [
            { String($0) },
            { $0.utf8.map { "%" + (String($0, radix: 16).leftPadded(to: 2)) }.joined() },
            { $0.utf16.map { "\\u" + String($0, radix: 16).leftPadded(to: 4) }.joined() },
            { $0.unicodeScalars.map { "&#\($0.value);" }.joined() },
        ]
        for _ in 0..<2_000 {
            let secret = String(
                (0..<4 + random.next(30)).map { _ in alphabet[random.next(alphabet.count)] })
            let escaped = secret.map { escapes[random.next(escapes.count)]($0) }.joined()
            #expect(masked("<!\(escaped)!>", secret) == "<!***!>", "\(seed): \(secret)")
            // A cut in an escape leaves characters before it, and no character of its own.
            let whole = 1 + random.next(secret.count)
            let start = secret.prefix(whole).map { escapes[random.next(4)]($0) }.joined()
            if start.utf8.count < 4 { continue }
            let shown = masked("<!\(start)", secret)
            let isLong = secret.prefix(whole).utf8.count >= SecretMask.shortest
            #expect(shown == (isLong ? "<!***" : "<!\(start)"), "\(seed): \(secret)")
        }
    }

    @Test(
        "Of header fields the parts are secret that are so by themselves",
        arguments: [
            ("Authorization", "Bearer tokentoken", "bearer tokentoken", "bearer ***"),
            ("Authorization", "tokentoken", "tokentoken", "***"),
            (
                "authorization", "Basic dXNlcjpodW50ZXIy", "dXNlcjpodW50ZXIy user hunter2",
                "*** user ***"
            ),
            ("Cookie", "a=b; session=0123456789ab", "session 0123456789ab", "session ***"),
            ("X-Key", "key with words", "a key with words", "a ***"),
        ])
    func headers(name: String, value: String, text: String, wanted: String) throws {
        var settings = UpstreamSettings(
            name: "a", base: try #require(UpstreamBase("http://a.test")))
        settings.headers = [.init(name: name, value: Secret(value))]
        let bytes = SecretMask(settings.secrets).applied(to: Array(text.utf8))
        #expect(String(decoding: bytes, as: UTF8.self) == wanted)
    }

    @Test("A text of an upstream is seen as an excerpt only, which is masked first and cut then")
    func excerpts() {
        let text: UpstreamText = "the event '\("hunter2")' is none"
        #expect(!"\(text) \(String(reflecting: text))".contains("hunter2"))
        let mask = SecretMask([Secret("hunter2")])
        #expect(Excerpt(of: text, masking: mask) == "the event '***' is none")
        for count in 190...210 {
            let body = String(repeating: "x", count: count) + "hunter2 " + "\u{7}\u{1F600}é"
            let shown = Excerpt(of: Array(body.utf8), masking: mask).text
            #expect(shown == String((body.prefix(count) + "*** ??é").prefix(200)))
        }
        // Masked, the beginning is short, and what is shown ends where nothing more was looked at.
        let many = String(repeating: "hunter2,", count: 10_000)
        #expect(!Excerpt(of: Array(many.utf8), masking: mask).text.contains("h"))
    }
}

extension String {
    fileprivate func leftPadded(to count: Int) -> String {
        String(repeating: "0", count: max(0, count - self.count)) + self
    }
}
