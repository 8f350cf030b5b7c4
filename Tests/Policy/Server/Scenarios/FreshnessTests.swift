import FreshetQuery
import FreshetStore
import Testing

/// Cursors of answers, and reads that demand to be as recent as one.
@Suite struct FreshnessTests {
    private func cursor(_ answer: TestResponse) throws -> Cursor {
        try #require(answer.header("Freshet-Cursor").flatMap { Cursor($0[...]) })
    }

    @Test func everyAnswerToAGetASearchOrAWriteNamesTheCommitThatItWasJudgedBy() throws {
        let server = try TestServer()
        let connection = try server.connect()
        let written = try connection.send("PUT", "/v1/t/1", #"{"n":1}"#)
        let first = try cursor(written)
        #expect(first.seq == 1)
        for (method, target, body, status) in [
            ("GET", "/v1/t/1", nil, 200), ("GET", "/v1/t/2", nil, 404),
            ("GET", "/v1/t?limit=1", nil, 200), ("GET", "/v1/t?filter=(", nil, 400),
            ("POST", "/v1/t/_search", #"{"limit":1}"#, 200), ("DELETE", "/v1/t/7", nil, 204),
            ("PATCH", "/v1/t/7", "{}", 404), ("PUT", "/v1/t/1", "[]", 422),
            ("POST", "/v1/t/_set", "[]", 200),
            ("POST", "/v1/_batch", #"{"operations":[]}"#, 200),
        ] as [(String, String, String?, Int)] {
            let answer = try connection.send(method, target, body)
            #expect(answer.status == status, "\(method) \(target)")
            #expect(try cursor(answer) == first, "\(method) \(target)")
        }
        let next = try connection.send("POST", "/v1/t/_set", #"[{"id":"2"},{"id":"3"}]"#)
        #expect(try cursor(next).seq == 2)
        // One name, one line.
        for answer in [written, next] {
            #expect(answer.headers.filter { $0.name.lowercased() == "freshet-cursor" }.count == 1)
        }
        let refused = try connection.send(
            "PUT", "/v1/t/1", "{}", headers: [#"If-Match: "9""#])
        #expect(refused.status == 412)
        #expect(try cursor(refused).seq == 2)
        #expect(try connection.send("GET", "/v1/_types").header("Freshet-Cursor") == nil)
    }

    @Test func aReadDemandsToBeAsRecentAsACursorOfAnyKind() throws {
        let server = try TestServer()
        let connection = try server.connect()
        let here = try cursor(try connection.send("PUT", "/v1/t/1", #"{"n":1}"#))
        for text in ["\(here)", "\(here).x", "\(here).a108ebd68164affd", "\(here).g1-2"] {
            for target in ["/v1/t/1", "/v1/t", "/v1/t?limit=1"] {
                let mark = target.contains("?") ? "&" : "?"
                #expect(try connection.send("GET", "\(target)\(mark)min=\(text)").status == 200)
                let answer = try connection.send(
                    "GET", target, headers: ["Freshet-Min-Seq: \(text)"])
                #expect(answer.status == 200)
            }
        }
        // A point with a mark behind it is one character.
        #expect(try connection.send("GET", "/v1/t?min=\(here).%F0%9F%8F%BBx").status == 200)
        let ahead = Cursor(epoch: here.epoch, seq: here.seq + 1)
        for answer in [
            try connection.send("GET", "/v1/t?min=\(ahead)"),
            try connection.send("GET", "/v1/t/1", headers: ["Freshet-Min-Seq: \(ahead)"]),
            try connection.send("POST", "/v1/t/_search?min=\(ahead)", "{}"),
            try connection.send("GET", "/v1/t?live=1&wait=1&min=\(ahead)"),
        ] {
            #expect(answer.status == 503)
            #expect(answer.body.contains(#""code":"replica-behind""#))
            #expect(answer.body.contains(#""seq":1"#))
            #expect(answer.header("Retry-After") == "1")
        }
        let other = try connection.send("GET", "/v1/t?min=zz.1")
        #expect(other.status == 409)
        #expect(other.body.contains(#""code":"other-epoch""#))
        #expect(other.body.contains(#""cursor":"\#(here)""#))
        // What waits is waited for behind the demand.
        #expect(try connection.send("GET", "/v1/t?live=1&wait=1&min=\(here)").status == 200)
    }

    @Test func aDemandThatIsNoneIsRefused() throws {
        let server = try TestServer()
        let connection = try server.connect()
        for (target, headers, word) in [
            ("/v1/t?min=", [], "'min' is a cursor"), ("/v1/t?min=7", [], "'min' is a cursor"),
            ("/v1/t?min=a.1&min=a.1", [], "stands here twice"),
            ("/v1/t/1", ["Freshet-Min-Seq: 1"], "Freshet-Min-Seq is a cursor"),
            ("/v1/t", ["Freshet-Read: weak"], "Freshet-Read is strong"),
        ] as [(String, [String], String)] {
            let answer = try connection.send("GET", target, headers: headers)
            #expect(answer.status == 400)
            #expect(answer.body.contains(word), "\(target)")
        }
        // A write reads nothing.
        let write = try connection.send("PUT", "/v1/t/1?min=a.1", "{}")
        #expect(write.status == 400)
        #expect(write.body.contains("there is no parameter 'min' here"))
        // A server alone shows all that it has acknowledged.
        #expect(
            try connection.send("GET", "/v1/t", headers: ["Freshet-Read: strong"]).status == 200)
    }
}
