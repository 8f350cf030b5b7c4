import FreshetHTTP
import Testing

@Suite struct HeaderValueTests {
    @Test(arguments: [
        ("a,b", ["a", "b"]), (" a , , b,", ["a", "b"]), ("", []), (",", []),
        ("\"a,b\", c", ["\"a,b\"", "c"]), ("\"a\\\",b\",c", ["\"a\\\",b\"", "c"]),
        ("\"a,b", ["\"a,b"]),
        ("\"a\\", ["\"a\\"]),
    ])
    func listsAreSplitAtCommasOutsideQuotes(value: String, expected: [String]) {
        withBytes(value) { bytes in
            var list = CommaList(bytes)
            var all: [String] = []
            while let element = list.next() { all.append(text(element)) }
            #expect(all == expected)
        }
    }

    @Test(arguments: [
        ("\"7\"", EntityTags.Answer.matches, EntityTags.Answer.matches),
        ("W/\"7\"", .differs, .matches), ("*", .matches, .matches), (" * ", .matches, .matches),
        ("\"8\"", .differs, .differs), ("\"8\", \"7\"", .matches, .matches),
        ("\"8\",W/\"7\",", .differs, .matches), ("\"a,7\"", .differs, .differs),
        ("\"\"", .differs, .differs), ("7", .malformed, .malformed),
        ("\"7", .malformed, .malformed),
        ("", .malformed, .malformed), (",", .malformed, .malformed),
        ("w/\"7\"", .malformed, .malformed),
        ("\"7\" \"8\"", .malformed, .malformed), ("*, \"7\"", .malformed, .malformed),
        ("\"7 7\"", .malformed, .malformed), ("W", .malformed, .malformed),
        ("W/", .malformed, .malformed), ("\"7\";a", .malformed, .malformed),
    ])
    func entityTagsAreCompared(list: String, strong: EntityTags.Answer, weak: EntityTags.Answer) {
        withBytes(list) { list in
            #expect(EntityTags.match(list, revision: 7, .strong) == strong)
            #expect(EntityTags.match(list, revision: 7, .weak) == weak)
            withBytes("\"7\"") { tag in
                #expect(EntityTags.match(list, tag, .strong) == strong)
                #expect(EntityTags.match(list, tag, .weak) == weak)
            }
        }
    }

    @Test func aWeakTagNeverMatchesStrongly() {
        withBytes("W/\"a\"") { weak in
            withBytes("\"a\"") { strong in
                #expect(EntityTags.match(weak, weak, .strong) == .differs)
                #expect(EntityTags.match(strong, weak, .strong) == .differs)
                #expect(EntityTags.match(strong, weak, .weak) == .matches)
            }
        }
        withBytes("\"18446744073709551615\"") { tag in
            #expect(EntityTags.match(tag, revision: .max, .strong) == .matches)
        }
    }

    @Test(arguments: [
        ("application/json", MediaType.json), ("Application/JSON; charset=UTF-8", .json),
        ("application/json;charset=\"utf-8\"", .json), ("application/json ; a=b", .json),
        ("application/json;", .json), ("application/json; charset=latin1", .other),
        ("application/merge-patch+json", .mergePatch), ("application/problem+json", .jsonSuffix),
        ("application/ld+json; profile=\"a;b\"", .jsonSuffix), ("application/+json", .other),
        ("application/x-ndjson", .ndjson), ("application/ndjson", .ndjson),
        ("application/x-www-form-urlencoded", .form),
        ("multipart/form-data; boundary=x", .multipart),
        ("text/plain", .text), ("text/html", .html), ("text/event-stream", .eventStream),
        ("image/png", .other), ("text/json", .text), ("", .malformed), ("json", .malformed),
        ("application/", .malformed), ("/json", .malformed), ("a/b/c", .malformed),
        ("application/json; charset", .malformed), ("application/json, text/plain", .malformed),
        ("application /json", .malformed), ("application/json x", .malformed),
    ])
    func mediaTypesAreTold(value: String, expected: MediaType) {
        withBytes(value) { #expect(MediaType($0) == expected) }
    }

    @Test(arguments: [
        ("application/json; charset=latin1", true), ("application/x-ndjson;charset=UTF-16", true),
        ("application/json", false), ("application/json; charset=utf-8", false),
        ("text/plain; charset=latin1", false), ("image/png", false), ("json; charset=a", false),
    ])
    func anotherCharsetOfJSONIsTold(value: String, expected: Bool) {
        withBytes(value) { #expect(MediaType.isJSONOfAnotherCharset($0) == expected) }
    }

    @Test func jsonHasThreeNames() {
        for type: MediaType in [.json, .mergePatch, .jsonSuffix] { #expect(type.isJSON) }
        for type: MediaType in [.ndjson, .form, .text, .other, .malformed] { #expect(!type.isJSON) }
    }

    @Test(arguments: [
        ("", 1000, 1000, 1000), ("*/*", 1000, 1000, 1000), ("*/*;q=0.1", 100, 100, 100),
        ("application/json", 1000, 0, 0), ("text/event-stream", 0, 1000, 0),
        ("text/*;q=0.5, text/html", 0, 500, 1000), ("application/*;q=0.25", 250, 0, 0),
        ("application/json;q=0, */*", 0, 1000, 1000), ("*/*, application/json;q=0", 0, 1000, 1000),
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", 800, 800, 1000),
        ("application/problem+json", 1000, 0, 0), ("APPLICATION/Json ; Q=0.123", 123, 0, 0),
        ("application/json;q=1.0", 1000, 0, 0), ("application/json;q=1.001", 0, 0, 0),
        ("application/json;q=2", 0, 0, 0), ("application/json;q=0.1234", 0, 0, 0),
        ("application/json;q=x", 0, 0, 0), ("image/png", 0, 0, 0), ("nonsense", 0, 0, 0),
        ("application/json;q=0.", 0, 0, 0), ("application/json;indent=2", 1000, 0, 0),
    ])
    func acceptIsWeighed(value: String, json: Int, eventStream: Int, html: Int) {
        withBytes(value) { bytes in
            let accepted = AcceptedMedia(bytes)
            #expect(accepted.json == json)
            #expect(accepted.eventStream == eventStream)
            #expect(accepted.html == html)
        }
    }

    @Test(arguments: [
        ("text/event-stream", true, false), ("*/*", false, false),
        ("text/event-stream, */*", true, false),
        ("application/json, text/event-stream", true, false),
        ("application/json, text/event-stream;q=0.9", false, false), ("text/*", false, false),
        ("text/event-stream;q=0", false, false), ("text/html,*/*;q=0.8", false, true),
        ("application/json, text/html;q=0.5", false, false),
    ])
    func streamsAndPagesAreForThoseWhoNameThem(value: String, stream: Bool, page: Bool) {
        withBytes(value) { bytes in
            #expect(AcceptedMedia(bytes).prefersEventStream == stream)
            #expect(AcceptedMedia(bytes).prefersHTML == page)
        }
        #expect(!AcceptedMedia(nil).prefersEventStream)
        #expect(AcceptedMedia(nil).json == 1000)
    }

    @Test func acceptOnSeveralLinesIsOneList() {
        var parser = RequestParser()
        var head = RequestHead()
        let request =
            "GET / HTTP/1.1\r\nHost: a\r\nAccept: application/json;q=0.5\r\n"
            + "Accept: text/event-stream\r\n\r\n"
        withBytes(request) { bytes in
            _ = parser.parse(bytes, into: &head, limits: HTTPLimits())
            let accepted = AcceptedMedia(head, in: bytes)
            #expect(accepted.json == 500)
            #expect(accepted.prefersEventStream)
        }
    }

    @Test(arguments: [
        ("return=minimal", true), ("return=representation", false), ("Return=Minimal", true),
        ("wait=10, return=minimal; x=y", true), ("return=\"minimal\"", true), ("return", false),
        ("returns=minimal", false), ("return=representation, return=minimal", false), ("", false),
    ])
    func preferenceForAMinimalAnswerIsFound(value: String, expected: Bool) {
        withBytes(value) { #expect(Preference.isReturnMinimal($0) == expected) }
    }

    @Test func requestIdsAreTakenWhereSane() {
        let sane = ["a", "0190-abc_DEF.x:y+z/w=", String(repeating: "a", count: 128)]
        for value in sane { withBytes(value) { #expect(Correlation.isSaneRequestID($0)) } }
        let others = [
            "", String(repeating: "a", count: 129), "a b", "a\r\nb", "é", "a\"", "<a>", "a,b",
            "\u{1b}",
        ]
        for value in others { withBytes(value) { #expect(!Correlation.isSaneRequestID($0)) } }
    }

    @Test func traceparentsAreChecked() {
        let good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        withBytes(good) { #expect(Correlation.isTraceparent($0)) }
        withBytes("cc" + good.dropFirst(2) + "-what") { #expect(Correlation.isTraceparent($0)) }
        let others = [
            "", good + "-x", String(good.dropLast()), good.uppercased(), "ff" + good.dropFirst(2),
            "cc" + good.dropFirst(2) + ".x", good.replacing("-", with: "_"),
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4bf92f3577b34da6a3ce929d0e0e473g-00f067aa0ba902b7-01",
        ]
        for value in others {
            withBytes(value) { #expect(!Correlation.isTraceparent($0), "\(value)") }
        }
    }
}
