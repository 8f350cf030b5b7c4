import FreshetConfig
import FreshetJSON
import FreshetServer
import FreshetTestSupport
import Testing

/// One request and what must come back.
private struct Step {
    let method: String
    let target: String
    let body: String?
    var headers: [String] = []
    let status: Int
    /// Texts that the body contains.
    var contains: [String] = []
    /// Header values.
    var shows: [String: String] = [:]

    init(
        _ method: String, _ target: String, _ body: String?, headers: [String] = [],
        _ status: Int, contains: [String] = [], shows: [String: String] = [:]
    ) {
        self.method = method
        self.target = target
        self.body = body
        self.headers = headers
        self.status = status
        self.contains = contains
        self.shows = shows
    }
}

extension Step {
    init(
        _ method: String, _ target: String, headers: [String] = [], _ status: Int,
        contains: [String] = [], shows: [String: String] = [:]
    ) {
        self.init(
            method, target, nil, headers: headers, status, contains: contains, shows: shows)
    }
}

/// Requests that follow one another on one fresh server.
private struct Scenario: CustomTestStringConvertible {
    let name: String
    let steps: [Step]

    var testDescription: String { name }
}

private let minimal = ["Prefer: return=minimal"]

private let scenarios = [
    Scenario(
        name: "an entity is created, replaced, patched and removed",
        steps: [
            Step("GET", "/v1/task/1", 404, contains: [#""code":"not-found""#]),
            Step(
                "PUT", "/v1/task/1", #"{"title":"a"}"#, 201,
                contains: [#"{"id":"1","title":"a"}"#],
                shows: ["ETag": "\"1\"", "Location": "/v1/task/1", "Freshet-Changed": "true"]),
            Step("PUT", "/v1/task/1", #"{"id":1,"title":"b"}"#, 200, shows: ["ETag": "\"2\""]),
            Step(
                "PATCH", "/v1/task/1", #"{"done":true,"title":null}"#, 200,
                contains: [#"{"id":1,"done":true}"#], shows: ["ETag": "\"3\""]),
            Step("DELETE", "/v1/task/1", 204, shows: ["Freshet-Changed": "true"]),
            Step("DELETE", "/v1/task/1", 204, shows: ["Freshet-Changed": "false"]),
            Step("PATCH", "/v1/task/1", "{}", 404),
        ]),
    Scenario(
        name: "a body without an id keeps the form of the stored one",
        steps: [
            Step("PUT", "/v1/task/1", #"{"id":1,"a":1}"#, 201),
            Step("PUT", "/v1/task/1", #"{"a":2}"#, 200, contains: [#"{"id":1,"a":2}"#]),
            Step("PUT", "/v1/task/1", #"{"id":"1","a":3}"#, 200, contains: [#"{"id":"1","a":3}"#]),
            Step("PUT", "/v1/task/1", #"{"a":4}"#, 200, contains: [#"{"id":"1","a":4}"#]),
            Step("PUT", "/v1/task/1", #"{"a":5,"id":1e0}"#, 200, contains: [#"{"a":5,"id":1e0}"#]),
            Step("PUT", "/v1/task/1", #"{"a":6}"#, 200, contains: [#"{"id":1e0,"a":6}"#]),
        ]),
    Scenario(
        name: "an aggregate stands under the text that asked for it",
        steps: [
            Step("PUT", "/v1/task/1", #"{"size":3,"in":4}"#, 201),
            Step(
                "GET", "/v1/task?aggregate=sum(size),max(`size`),+min(+in+)", 200,
                contains: [#"{"sum(size)":3,"max(`size`)":3,"min(in)":4}"#]),
            Step(
                "POST", "/v1/task/_search", #"{"aggregate":["sum(size)","count"]}"#, 200,
                contains: [#"{"sum(size)":3,"count":1}"#]),
            Step("GET", "/v1/task?aggregate=sum(size),sum(`size`)", 400),
        ]),
    Scenario(
        name: "an import: empty, unknown parameters, lines of control bytes",
        steps: [
            Step(
                "POST", "/v1/_import", "", headers: ["Content-Type: application/x-ndjson"], 200,
                contains: [#"{"meta":{"count":0,"changed":0,"revision":0}}"#],
                shows: ["Freshet-Changed": "false", "Freshet-Durability": "memory"]),
            Step(
                "POST", "/v1/_import", "\n \t\r\n", headers: ["Content-Type: application/x-ndjson"],
                200, contains: [#"{"meta":{"count":0,"#], shows: ["Freshet-Changed": "false"]),
            Step(
                "POST", "/v1/_import?x=1", #"{"type":"task","entity":{"id":"1"}}"#,
                headers: ["Content-Type: application/x-ndjson"], 400,
                contains: [#""parameter":"x""#]),
            Step(
                "POST", "/v1/_import?x=1", "", headers: ["Content-Type: application/x-ndjson"],
                400),
            Step("GET", "/v1/task/1", 404),
            Step(
                "POST", "/v1/_import", "\u{0}\u{1}\n",
                headers: ["Content-Type: application/x-ndjson"], 400,
                contains: [#""line":1"#, "bad-json"]),
            Step(
                "POST", "/v1/task/_set", "\u{0b}\n",
                headers: ["Content-Type: application/x-ndjson"], 400,
                contains: [#""line":1"#]),
        ]),
    Scenario(
        name: "ids are divided before they are decoded",
        steps: [
            Step("PUT", "/v1/task/a%2Cb", "{}", 201, shows: ["Location": "/v1/task/a%2Cb"]),
            Step("PUT", "/v1/task/a", "{}", 201),
            Step("PUT", "/v1/task/b%20c", "{}", 201),
            Step(
                "GET", "/v1/task?ids=b+c,a%2Cb,x%2c", 200,
                contains: [#""items":[{"id":"b c"},{"id":"a,b"}]"#, #""missing":["x,"]"#]),
            Step(
                "GET", "/v1/task?order=ids:b%20c,a%2Cb", 200,
                contains: [#""items":[{"id":"b c"},{"id":"a,b"},{"id":"a"}]"#]),
            Step("GET", "/v1/task?ids=", 200, contains: [#""items":[]"#]),
            Step("GET", "/v1/task?ids=a,", 400),
            Step("GET", "/v1/task?ids=a&ids=b", 400),
            Step(
                "DELETE", "/v1/task?ids=a%2Cb", 200, contains: [#"{"removed":["a,b"]}"#]),
            Step("GET", "/v1/task?order=-id,x", 200, contains: [#"[{"id":"b c"},{"id":"a"}]"#]),
        ]),
    Scenario(
        name: "ids that no address can name are refused, and new ones of the service's form",
        steps: [
            Step("PUT", "/v1/task/%2E", "{}", 422, contains: [#""pointer":"/id""#]),
            Step("PUT", "/v1/task/%2E%2e", "{}", 422),
            Step("POST", "/v1/task", #"{"id":".."}"#, 422),
            Step("PUT", "/v1/task/%2E%2E%2E", "{}", 201),
            Step("PUT", "/v1/task/_x", "{}", 422, contains: ["'_'"]),
            Step("POST", "/v1/task/_set", #"[{"id":"_x"}]"#, 422, contains: [#""/0/id""#]),
            Step(
                "POST", "/v1/_batch",
                #"{"operations":[{"set":{"type":"task","entity":{"id":"_x"}}}]}"#, 422),
            Step(
                "POST", "/v1/_import", #"{"type":"task","entity":{"id":"_x"}}"#,
                headers: ["Content-Type: application/x-ndjson"], 200),
            Step(
                "POST", "/v1/_import", #"{"type":"task","entity":{"id":"."}}"#,
                headers: ["Content-Type: application/x-ndjson"], 422),
            Step("PUT", "/v1/task/_x", #"{"n":1}"#, 200, contains: [#"{"id":"_x","n":1}"#]),
            Step("PATCH", "/v1/task/_x", #"{"n":2}"#, 200),
            Step("DELETE", "/v1/task/_x", 204),
            Step("PUT", "/v1/task/_x", "{}", 422),
        ]),
    Scenario(
        name: "operations that undo each other are no commit",
        steps: [
            Step("PUT", "/v1/task/1", #"{"a":1}"#, 201, shows: ["ETag": "\"1\""]),
            Step(
                "POST", "/v1/_batch",
                #"{"operations":[{"set":{"type":"task","entity":{"id":"1","a":2}}},"#
                    + #"{"set":{"type":"task","entity":{"id":"1","a":1}}},"#
                    + #"{"set":{"type":"task","entity":{"id":"2"}}},"#
                    + #"{"remove":{"type":"task","id":"2"}}]}"#, 200,
                contains: [
                    #"{"status":200,"id":"1","revision":1,"changed":false}"#,
                    #"{"status":200,"id":"2","revision":0,"changed":false}"#,
                    #"{"status":204,"id":"2","revision":0,"changed":false}"#,
                    #""meta":{"count":4,"changed":0,"revision":1}"#,
                ], shows: ["Freshet-Changed": "false"]),
            Step("GET", "/v1/task/1", 200, shows: ["ETag": "\"1\""]),
            Step(
                "POST", "/v1/task/_set", #"[{"id":"3"},{"id":"3"}]"#, 200,
                contains: [
                    #"{"id":"3","revision":2,"changed":true},"#
                        + #"{"id":"3","revision":2,"changed":false}"#
                ]),
        ]),
    Scenario(
        name: "a write that changes nothing is no commit",
        steps: [
            Step("PUT", "/v1/task/1", #"{"a":1,"b":[1.0]}"#, 201, shows: ["ETag": "\"1\""]),
            Step(
                "PUT", "/v1/task/1", #"{"b":[1.0],"a":1}"#, 200,
                shows: ["ETag": "\"1\"", "Freshet-Changed": "false"]),
            Step(
                "PATCH", "/v1/task/1", #"{"a":1}"#, 200,
                shows: ["ETag": "\"1\"", "Freshet-Changed": "false"]),
        ]),
    Scenario(
        name: "documents are kept exactly",
        steps: [
            Step(
                "PUT", "/v1/t/x", #"{ "z": 123456789012345678901234567890.10, "a" : "\u00e9\/" }"#,
                201, contains: [#"{"id":"x","z":123456789012345678901234567890.10,"a":"é/"}"#]),
            Step("PUT", "/v1/t/x", #"{"a":1,"a":2}"#, 400, contains: [#""code":"bad-json""#]),
            Step("PUT", "/v1/t/x", #"{"a":"\ud800"}"#, 400),
            Step("PUT", "/v1/t/x", "[1]", 422),
            Step("PUT", "/v1/t/x", #"{"id":"y"}"#, 422, contains: [#""code":"id-mismatch""#]),
        ]),
    Scenario(
        name: "7 and \"7\" are one identifier, and paths are decoded once",
        steps: [
            Step("PUT", "/v1/t/7", #"{"id":7}"#, 201),
            Step("PUT", "/v1/t/7", #"{"id":"7","a":1}"#, 200),
            Step("PUT", "/v1/t/a%2Fb%20c", "{}", 201, shows: ["Location": "/v1/t/a%2Fb%20c"]),
            Step("GET", "/v1/t/a%2Fb%20c", 200, contains: [#""id":"a/b c""#]),
            Step("GET", "/v1/t/%2e%2e", 404),
        ]),
    Scenario(
        name: "preconditions are judged and show what stands there",
        steps: [
            Step("PUT", "/v1/t/1", #"{"a":1}"#, headers: ["If-None-Match: *"], 201),
            Step(
                "PUT", "/v1/t/1", #"{"a":2}"#, headers: ["If-None-Match: *"], 412,
                contains: [#""current":{"id":"1","a":1}"#]),
            Step("PUT", "/v1/t/1", #"{"a":2}"#, headers: ["If-Match: \"9\""], 412),
            Step("PUT", "/v1/t/1", #"{"a":2}"#, headers: ["If-Match: \"1\""], 200),
            Step("GET", "/v1/t/1", headers: ["If-None-Match: \"2\""], 304),
            Step("DELETE", "/v1/t/1", headers: ["If-Match: \"1\""], 412),
            Step("DELETE", "/v1/t/2", headers: ["If-Match: *"], 412),
            Step(
                "GET", "/v1/t/1", headers: ["If-None-Match: \"77\"", "If-None-Match: \"2\""], 304),
            Step("PUT", "/v1/t/1", "{}", headers: ["If-Match: 2"], 400),
        ]),
    Scenario(
        name: "reads honour If-Match",
        steps: [
            Step("PUT", "/v1/t/1", #"{"a":1}"#, 201),
            Step("GET", "/v1/t/1", headers: ["If-Match: \"1\""], 200),
            Step("HEAD", "/v1/t/1", headers: ["If-Match: \"7\", \"1\""], 200),
            Step("GET", "/v1/t/1?meta=true", headers: ["If-Match: *"], 200),
            Step(
                "GET", "/v1/t/1", headers: ["If-Match: \"2\""], 412,
                contains: [#""code":"precondition-failed""#]),
            Step("HEAD", "/v1/t/1", headers: ["If-Match: \"2\""], 412),
            Step("GET", "/v1/t/1?meta=true", headers: ["If-Match: \"2\""], 412),
            // Strong comparison, and a list over two lines.
            Step("GET", "/v1/t/1", headers: ["If-Match: W/\"1\""], 412),
            Step("GET", "/v1/t/1", headers: ["If-Match: \"2\"", "If-Match: \"1\""], 200),
            // If-Match is judged first.
            Step("GET", "/v1/t/1", headers: ["If-Match: \"2\"", "If-None-Match: \"1\""], 412),
            Step("GET", "/v1/t/1", headers: ["If-Match: \"1\"", "If-None-Match: \"1\""], 304),
            Step("GET", "/v1/t/1", headers: ["If-Match: 1"], 400),
            Step("GET", "/v1/t/9", headers: ["If-Match: *"], 404),
            Step("GET", "/v1/t?limit=1", headers: ["If-Match: *"], 200),
            Step("GET", "/v1/t?limit=1", headers: ["If-Match: \"1\""], 412),
            Step("HEAD", "/v1/t", headers: ["If-Match: \"1\""], 412),
            Step("GET", "/live.js", headers: ["If-Match: \"1\""], 412),
            Step("GET", "/v1/t/1?include=x", headers: ["If-Match: \"1\""], 400),
        ]),
    Scenario(
        name: "a condition on many entities is refused with what takes one",
        steps: [
            Step("PUT", "/v1/t/1", #"{"a":1}"#, 201),
            Step(
                "POST", "/v1/t/_set", #"[{"id":1}]"#, headers: ["If-Match: \"1\""], 400,
                contains: ["ifMatch", #""code":"bad-request""#]),
            Step(
                "POST", "/v1/_batch", #"{"operations":[]}"#, headers: ["If-Match: *"], 400,
                contains: ["ifMatch"]),
            Step("POST", "/v1/t", "{}", headers: ["If-Match: \"1\""], 400, contains: ["ifMatch"]),
            Step("POST", "/v1/t", "{}", headers: ["If-None-Match: *"], 400, contains: ["ifNone"]),
            Step(
                "DELETE", "/v1/t?all=true", headers: ["If-Match: \"1\""], 400,
                contains: ["ifMatch"]),
            Step(
                "DELETE", "/v1/t?ids=1", headers: ["If-Match: \"1\""], 400,
                contains: ["ifMatch"]),
            Step(
                "POST", "/v1/t/_remove", #"{"all":true}"#, headers: ["If-Match: *"], 400,
                contains: ["ifMatch"]),
            Step(
                "POST", "/v1/_import", #"{"type":"t","entity":{"id":1}}"#,
                headers: ["If-Match: *"], 400, contains: ["ifMatch"]),
            Step("GET", "/v1/t/1", 200, contains: [#""a":1"#]),
        ]),
    Scenario(
        name: "what a body is must be what it is taken for",
        steps: [
            Step("PUT", "/v1/t/1", #"{"a":1}"#, 201),
            Step(
                "PUT", "/v1/t/1", #"{"a":2}"#, headers: ["Content-Range: bytes 0-6/20"], 400,
                contains: ["Content-Range"]),
            Step(
                "PATCH", "/v1/t/1", #"[{"op":"remove","path":"/a"}]"#,
                headers: ["Content-Type: application/json-patch+json"], 415,
                contains: ["merge-patch"],
                shows: ["Accept-Patch": "application/merge-patch+json, application/json"]),
            Step(
                "PATCH", "/v1/t/1", #"{"a":3}"#,
                headers: ["Content-Type: application/vnd.x+json"], 415,
                shows: ["Accept-Patch": "application/merge-patch+json, application/json"]),
            Step(
                "PATCH", "/v1/t/1", "a=3",
                headers: ["Content-Type: application/x-www-form-urlencoded"], 415,
                shows: ["Accept-Patch": "application/merge-patch+json, application/json"]),
            Step(
                "OPTIONS", "/v1/t/1", 204,
                shows: ["Accept-Patch": "application/merge-patch+json, application/json"]),
            Step("GET", "/v1/t/1", 200, contains: [#""a":1"#]),
            Step(
                "PATCH", "/v1/t/1", #"{"a":4}"#,
                headers: ["Content-Type: application/merge-patch+json; charset=utf-8"], 200),
            Step("PATCH", "/v1/t/1", #"{"a":5}"#, 200),
            Step("PUT", "/v1/t/2", "{}", headers: ["Content-Type: application/ld+json"], 201),
        ]),
    Scenario(
        name: "an entity without an id gets one, and a taken one is refused",
        steps: [
            Step("POST", "/v1/t", #"{"a":1}"#, 201, contains: [#"{"id":""#]),
            Step("POST", "/v1/t", #"{"id":"x"}"#, 201, shows: ["Location": "/v1/t/x"]),
            Step("POST", "/v1/t", #"{"id":"x"}"#, 409, contains: [#""code":"exists""#]),
            Step("POST", "/v1/t", "{}", headers: ["Prefer: return=minimal"], 201),
        ]),
    Scenario(
        name: "return=minimal leaves out the body of every write, an empty one too",
        steps: [
            Step("PUT", "/v1/t/1", "{}", headers: minimal, 201),
            Step("PUT", "/v1/t/1", #"{"a":1}"#, headers: minimal, 204),
            Step("PATCH", "/v1/t/1", #"{"a":2}"#, headers: minimal, 204),
            Step("POST", "/v1/t/_set", #"[{"id":2}]"#, headers: minimal, 204),
            Step("POST", "/v1/t/_set", "[]", headers: minimal, 204),
            Step(
                "POST", "/v1/_batch",
                #"{"operations":[{"set":{"type":"t","entity":{"id":3}}}]}"#,
                headers: minimal, 204, shows: ["Freshet-Changed": "true"]),
            Step("POST", "/v1/_batch", #"{"operations":[]}"#, headers: minimal, 204),
            Step(
                "POST", "/v1/_import", #"{"type":"t","entity":{"id":4}}"#, headers: minimal, 204,
                shows: ["Freshet-Changed": "true"]),
            Step("POST", "/v1/_import", "", headers: minimal, 204),
            Step("GET", "/v1/t?limit=0&count=true", 200, contains: [#""total":4"#]),
            Step("POST", "/v1/t/_remove", #"{"ids":[1]}"#, headers: minimal, 204),
            Step("DELETE", "/v1/t?ids=2", headers: minimal, 204),
        ]),
    Scenario(
        name: "many are set at once or not at all",
        steps: [
            Step(
                "POST", "/v1/t/_set", #"[{"id":1,"n":1},{"id":2,"n":2},{"id":3,"n":3}]"#, 200,
                contains: [
                    #"{"items":[{"id":1,"revision":1,"changed":true}"#,
                    #""meta":{"count":3,"changed":3,"revision":1}"#,
                ]),
            Step(
                "POST", "/v1/t/_set", #"[{"id":4},{"id":{}}]"#, 422, contains: [#""/1/id""#]),
            Step("GET", "/v1/t/4", 404),
            Step(
                "POST", "/v1/t/_set", "{\"id\":5}\n\n{\"id\":6}\r\n",
                headers: ["Content-Type: application/x-ndjson"], 200),
            Step(
                "POST", "/v1/t/_set", "{\"id\":7}\n{bad}\n",
                headers: ["Content-Type: application/x-ndjson"], 400, contains: [#""line":2"#]),
            Step("POST", "/v1/t/_set", "[]", 200, contains: [#""count":0"#]),
        ]),
    Scenario(
        name: "searches filter, order, cut and count",
        steps: [
            Step(
                "POST", "/v1/t/_set",
                #"[{"id":1,"n":3,"s":"x"},{"id":2,"n":1,"s":"y"},{"id":3,"s":"x"},{"id":10,"n":2}]"#,
                200),
            Step(
                "GET", "/v1/t?order=-n", 200,
                contains: [#"[{"id":3,"s":"x"},{"id":1,"n":3,"s":"x"},{"id":10,"n":2}"#]),
            Step(
                "GET", "/v1/t?filter=s=='x'&count=true&limit=1", 200,
                contains: [#"{"items":[{"id":1,"n":3,"s":"x"}]"#, #""count":1,"total":2"#]),
            Step(
                "GET", "/v1/t?ids=10,99,1&fields=n", 200,
                contains: [#"[{"id":10,"n":2},{"id":1,"n":3}]"#, #""missing":["99"]"#]),
            Step(
                "POST", "/v1/t/_search", #"{"filter":"n >= 2","order":["n"],"fields":["id"]}"#, 200,
                contains: [#"[{"id":10},{"id":1}]"#]),
            Step("QUERY", "/v1/t", #"{"limit":0}"#, 200, contains: [#"{"items":[]"#]),
            Step("GET", "/v1/nothing", 200, contains: [#"{"items":[],"#]),
            Step("HEAD", "/v1/t?limit=1", 200, shows: ["Freshet-Total": "4"]),
        ]),
    Scenario(
        name: "faulty searches say what is wrong",
        steps: [
            Step("GET", "/v1/t?nope=1", 400, contains: [#""parameter":"nope""#]),
            Step("GET", "/v1/t?limit=1&limit=2", 400, contains: [#""code":"bad-parameter""#]),
            Step("GET", "/v1/t?limit=-1", 400),
            Step(
                "GET", "/v1/t?filter=a==", 400, contains: [#""code":"bad-filter""#, #""offset":3"#]),
            Step("GET", "/v1/t?filter=a==1&&b==2", 400, contains: ["%26%26"]),
            Step("GET", "/v1/t?source=local", 200, contains: [#""source":"local""#]),
            Step("GET", "/v1/t?source=remote", 400, contains: [#""parameter":"source""#]),
            Step("GET", "/v1/t?explain=yes", 400, contains: [#""parameter":"explain""#]),
            Step(
                "GET", "/v1/t?explain=true", headers: ["Accept: text/event-stream"], 400,
                contains: [#""parameter":"explain""#]),
            Step(
                "GET", "/v1/t?filter=a~='x(?=y)'", 400,
                contains: [#""code":"bad-filter""#, #""offset":5"#, "look-around"]),
            Step("GET", "/v1/t?filter=a~='x%7B99999%7D'", 400, contains: ["query-too-complex"]),
            Step(
                "GET", "/v1/t?filter=a~='x('", headers: ["Accept: text/event-stream"], 400,
                contains: [#""code":"bad-filter""#]),
            Step("GET", "/v1/t?filter=a~='x('&count=only", 400),
            Step(
                "POST", "/v1/t/_search", #"{"filter":"a ~= '*'"}"#, 400,
                contains: [#""code":"bad-filter""#]),
            Step("DELETE", "/v1/t?filter=a~='*'", 400, contains: [#""code":"bad-filter""#]),
            Step("GET", "/v1/_operations/none", 404),
        ]),
    Scenario(
        name: "removals by query name what went",
        steps: [
            Step("POST", "/v1/t/_set", #"[{"id":1,"n":1},{"id":2,"n":2},{"id":"c","n":2}]"#, 200),
            Step("DELETE", "/v1/t", 400),
            Step("DELETE", "/v1/t?filter=n==2", 200, contains: [#"{"removed":[2,"c"]}"#]),
            Step("POST", "/v1/t/_remove", #"{"ids":[1,5]}"#, 200, contains: [#"{"removed":[1]}"#]),
            Step("DELETE", "/v1/t?all=true", 200, contains: [#"{"removed":[]}"#]),
        ]),
    Scenario(
        name: "regular expressions find, are counted and remove",
        steps: [
            Step(
                "POST", "/v1/t/_set",
                #"[{"id":1,"s":"libssl3"},{"id":2,"s":"LIBSSL1"},{"id":3,"s":"a\\b"},{"id":4}]"#,
                200),
            Step("GET", "/v1/t?filter=s~='ssl%5B0-9%5D'&fields=id", 200, contains: [#"{"id":1}"#]),
            Step("GET", "/v1/t?filter=s~='(?i)^lib.*%5C%5Cd$'", 200, contains: ["LIBSSL1"]),
            Step(
                "POST", "/v1/t/_search",
                #"{"filter":{"property":"s","op":"~=","value":"a.b"},"fields":["id"]}"#, 200,
                contains: [#"{"id":3}"#]),
            Step("DELETE", "/v1/t?filter=s~='%5Elib'", 200, contains: [#"{"removed":[1]}"#]),
        ]),
    Scenario(
        name: "a batch is one commit across types",
        steps: [
            Step(
                "POST", "/v1/_batch",
                #"{"operations":[{"set":{"type":"a","entity":{"id":1,"x":1}}},"#
                    + #"{"patch":{"type":"a","id":1,"patch":{"y":2}}},"#
                    + #"{"remove":{"type":"b","id":9}}]}"#,
                200,
                contains: [
                    #"{"results":[{"status":201,"id":1,"revision":1,"changed":true}"#,
                    #""meta":{"count":3,"changed":2,"revision":1}"#,
                ]),
            Step("GET", "/v1/a/1", 200, contains: [#"{"id":1,"x":1,"y":2}"#]),
            Step(
                "POST", "/v1/_batch",
                #"{"operations":[{"remove":{"type":"a","id":1}},"#
                    + #"{"set":{"type":"a","entity":{"id":2}},"ifMatch":"*"}]}"#,
                412),
            Step("GET", "/v1/a/1", 200),
            Step("POST", "/v1/_batch", #"{"operations":[{"frob":{}}]}"#, 400),
        ]),
    Scenario(
        name: "a repeated request with the same Idempotency-Key gets the first answer",
        steps: [
            Step(
                "POST", "/v1/t", #"{"a":1}"#, headers: ["Idempotency-Key: k1"], 201,
                shows: ["ETag": "\"1\""]),
            Step(
                "POST", "/v1/t", #"{"a":1}"#, headers: ["Idempotency-Key: k1"], 201,
                shows: ["ETag": "\"1\""]),
            Step("GET", "/v1/t?count=true", 200, contains: [#""total":1"#]),
            Step(
                "POST", "/v1/t", #"{"a":2}"#, headers: ["Idempotency-Key: k1"], 422,
                contains: [#""code":"idempotency-mismatch""#]),
            Step("POST", "/v1/u", #"{"a":2}"#, headers: ["Idempotency-Key: k1"], 201),
            Step("POST", "/v1/t", "{", headers: ["Idempotency-Key: k2"], 400),
            Step("POST", "/v1/t", "{}", headers: ["Idempotency-Key: k3"], 201),
        ]),
    Scenario(
        name: "everything goes out and comes in again",
        steps: [
            Step(
                "POST", "/v1/_import",
                "{\"type\":\"a\",\"entity\":{\"id\":1}}\n{\"entity\":{\"id\":2},\"type\":\"b\"}",
                headers: ["Content-Type: application/x-ndjson"], 200,
                contains: [#"{"meta":{"count":2,"changed":2,"#]),
            Step(
                "GET", "/v1/_export", 200,
                contains: [
                    "{\"type\":\"a\",\"entity\":{\"id\":1}}\n{\"type\":\"b\",\"entity\":{\"id\":2}}\n"
                ]),
            Step("GET", "/v1/_export?type=b", 200, contains: ["{\"type\":\"b\""]),
            Step(
                "POST", "/v1/_import", "{\"type\":\"a\",\"entity\":{\"id\":3}}\n{\"type\":1}\n",
                headers: ["Content-Type: application/x-ndjson"], 400,
                contains: [#""line":2"#, #""imported":0"#]),
        ]),
    Scenario(
        name: "what a page or a proxy could do wrong is refused",
        steps: [
            Step(
                "PUT", "/v1/t/1", "a=1",
                headers: ["Content-Type: application/x-www-form-urlencoded"], 415,
                contains: ["--json"]),
            Step("PUT", "/v1/t/1", "{}", headers: ["Origin: http://evil.example"], 403),
            Step("PUT", "/v1/t/1", "{}", headers: ["Sec-Fetch-Site: cross-site"], 403),
            Step("GET", "/v1/t", headers: ["Accept: image/png"], 406),
            Step(
                "POST", "/v1/t/1", "{}", 405,
                shows: ["Allow": "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"]),
            Step(
                "OPTIONS", "/v1/t", 204, shows: ["Allow": "GET, HEAD, POST, DELETE, OPTIONS, QUERY"]
            ),
            Step("GET", "/v1/_nope", 404),
            Step("GET", "/v1/9t", 404),
        ]),
    Scenario(
        name: "the pages around it answer",
        steps: [
            Step("GET", "/livez", 200),
            Step("GET", "/readyz", 200, contains: [#""status":"ready""#]),
            Step("GET", "/metrics", 200, contains: ["freshet_requests_total"]),
            Step("GET", "/version", 200),
            Step("POST", "/v1/_store/reopen", 200, contains: [#"{"state":"ready","revision":0}"#]),
            Step("GET", "/openapi.json", 200, contains: [#""openapi""#]),
            Step("GET", "/problems/bad-filter", 200),
            Step("GET", "/problems/nope", 404),
            Step("GET", "/", 200, contains: [#""types":[]"#]),
            Step("GET", "/", headers: ["Accept: text/html"], 200, contains: ["<!doctype html>"]),
            Step("GET", "/v1", 200),
            Step("GET", "/v1/_types", 200),
            Step("GET", "/v1/_types/none", 404, contains: [#""code":"unknown-type""#]),
        ]),
]

@Suite struct ScenarioTests {
    @Test(arguments: scenarios)
    private func holds(_ scenario: Scenario) throws {
        let server = try TestServer()
        let connection = try server.connect()
        for step in scenario.steps {
            let response = try connection.send(
                step.method, step.target, step.body, headers: step.headers)
            let place = "\(step.method) \(step.target): \(response.body)"
            #expect(response.status == step.status, "\(place)")
            for text in step.contains {
                #expect(response.body.contains(text), "\(text) in \(place)")
            }
            for (name, value) in step.shows {
                #expect(response.header(name) == value, "\(name) of \(place)")
            }
            #expect(response.header("X-Request-Id") != nil)
            if response.status >= 400, step.method != "HEAD" {
                #expect(response.header("Content-Type") == "application/problem+json")
                #expect(response.body.hasSuffix("}\n"))
            }
        }
    }
}

@Suite struct LimitScenarioTests {
    @Test func aFullServerReplacesAndRemovesButTakesNothingNew() throws {
        let server = try TestServer { $0.limits.entities = 2 }
        let connection = try server.connect()
        for (method, target, status) in [
            ("PUT", "/v1/a/1", 201), ("PUT", "/v1/b/1", 201), ("PUT", "/v1/a/2", 507),
            ("PUT", "/v1/a/1", 200), ("DELETE", "/v1/b/1", 204), ("PUT", "/v1/a/2", 201),
        ] {
            let response = try connection.send(method, target, method == "PUT" ? "{}" : nil)
            #expect(response.status == status, "\(method) \(target): \(response.body)")
            #expect(status != 507 || response.body.contains(#""code":"too-many-entities""#))
        }
    }

    @Test func anEntityOverItsLimitIsRefusedWhereverItComesFrom() throws {
        let server = try TestServer { $0.limits.documentBytes = 100 }
        let connection = try server.connect()
        let long = String(repeating: "x", count: 200)
        let put = try connection.send("PUT", "/v1/a/1", #"{"a":"\#(long)"}"#)
        #expect(put.status == 413 && put.body.contains(#""code":"payload-too-large""#))
        #expect(try connection.send("PUT", "/v1/a/1", #"{"a":1}"#).status == 201)
        let patch = try connection.send("PATCH", "/v1/a/1", #"{"a":"\#(long)"}"#)
        #expect(patch.status == 413)
    }
}

@Suite struct ReloadTests {
    /// The socket stays where it is until the next start, and so does the name that it is asked by.
    @Test func anotherAddressWaitsForTheNextStart() throws {
        let server = try TestServer()
        var changed = ServeSettings.standard
        changed.host = "data.internal"
        server.server.reload(changed)
        for (host, status) in [("127.0.0.1", 200), ("data.internal", 421)] {
            let answer = try server.send("GET", "/v1", headers: ["Host: \(host):\(server.port)"])
            #expect(answer.status == status, "\(answer.body)")
        }
    }

    @Test func anOriginIsKnownHoweverItIsWritten() throws {
        let server = try TestServer { $0.allowedOrigins = ["https://App.Example"] }
        let page = ["Origin: https://app.example"]
        #expect(try server.send("PUT", "/v1/task/1", "{}", headers: page).status == 201)
    }

    @Test func aChangedConfigurationTakesEffectAtOnce() throws {
        let server = try TestServer()
        let connection = try server.connect()
        #expect(try connection.send("PUT", "/v1/task/1", "{}").status == 201)
        let page = ["Origin: https://app.test"]
        #expect(try connection.send("PUT", "/v1/task/1", "{}", headers: page).status == 403)
        var changed = ServeSettings.standard
        changed.isStrict = true
        changed.allowedOrigins = ["https://app.test"]
        server.server.reload(changed)
        #expect(try connection.send("GET", "/v1/task/1").status == 404)
        #expect(try connection.send("PUT", "/v1/task/1", "{}", headers: page).status == 404)
        changed.isStrict = false
        server.server.reload(changed)
        #expect(try connection.send("PUT", "/v1/task/1", "{}", headers: page).status == 200)
        #expect(try connection.send("GET", "/v1/task/1").body == "{\"id\":\"1\"}\n")
    }
}

@Suite struct LiveScenarioTests {
    @Test func aWatcherSeesTheStateAndEveryChangeOfIt() throws {
        let server = try TestServer()
        _ = try server.send("PUT", "/v1/t/1", #"{"done":false}"#)
        let stream = try TestStream(server, "/v1/t?filter=done==false")
        #expect(try stream.next().name == "hello")
        let first = try stream.next()
        #expect(first.name == "snapshot")
        #expect(first.data.contains(#""why":"initial","items":[{"id":"1","done":false}]"#))
        _ = try server.send("PUT", "/v1/t/2", #"{"done":true}"#)
        _ = try server.send("PUT", "/v1/t/1", #"{"done":true}"#)
        let second = try stream.next()
        #expect(second.data.contains(#""why":"update","items":[]"#))
        #expect(second.id != nil && second.id != first.id)
    }

    @Test func aReturningWatcherGetsASyncWhereNothingHasChanged() throws {
        let server = try TestServer()
        _ = try server.send("PUT", "/v1/t/1", "{}")
        var stream = try TestStream(server, "/v1/t/1")
        _ = try stream.next()
        let cursor = try #require(try stream.next().id)
        _ = try server.send("PUT", "/v1/other/1", "{}")

        stream = try TestStream(server, "/v1/t/1", lastEventID: cursor)
        _ = try stream.next()
        #expect(try stream.next().name == "sync")

        _ = try server.send("DELETE", "/v1/t/1")
        stream = try TestStream(server, "/v1/t/1", lastEventID: cursor)
        _ = try stream.next()
        let snapshot = try stream.next()
        #expect(snapshot.data.contains(#""why":"retention","items":[]"#))
        for (cursor, why) in [("nonsense", "epoch"), ("zzzz.1.2", "epoch")] {
            stream = try TestStream(server, "/v1/t/1", lastEventID: cursor)
            _ = try stream.next()
            #expect(try stream.next().data.contains(#""why":"\#(why)""#))
        }
    }

    @Test func aDeltaSaysWhatLeftWhatCameAndWhatChanged() throws {
        let server = try TestServer()
        for (id, n) in [(1, 1), (2, 2), (3, 3)] {
            _ = try server.send("PUT", "/v1/t/\(id)", "{\"n\":\(n)}")
        }
        let stream = try TestStream(
            server, "/v1/t?live=delta&filter=n>0&order=n&limit=2&count=true&old=true")
        #expect(try stream.next().data.contains(#""mode":"delta""#))
        #expect(try stream.next().data.contains(#""total":3"#))
        _ = try server.send("PUT", "/v1/t/0", #"{"n":1}"#)
        let pushed = try stream.next()
        #expect(pushed.name == "delta" && pushed.id != nil)
        #expect(
            pushed.data.contains(
                #""remove":{"2":"displaced"},"place":[["0",0]],"put":[{"id":"0","n":1}],"#
                    + #""old":{"2":{"id":"2","n":2}},"total":4,"commits":1}"#))
        _ = try server.send("PATCH", "/v1/t/0", #"{"n":-1}"#)
        #expect(try stream.next().data.contains(#""remove":{"0":"unmatched"}"#))
        _ = try server.send("DELETE", "/v1/t/1")
        #expect(try stream.next().data.contains(#""remove":{"1":"deleted"},"place":[["3",1]]"#))
    }

    @Test func aReturningReducerGetsOneNetDelta() throws {
        let server = try TestServer()
        _ = try server.send("PUT", "/v1/t/1", #"{"n":1}"#)
        var stream = try TestStream(server, "/v1/t?live=delta")
        _ = try stream.next()
        let cursor = try #require(try stream.next().id)
        for n in 2...6 { _ = try server.send("PUT", "/v1/t/1", "{\"n\":\(n)}") }
        _ = try server.send("PUT", "/v1/t/2", #"{"n":0}"#)
        _ = try server.send("DELETE", "/v1/t/2")
        stream = try TestStream(server, "/v1/t?live=delta", lastEventID: cursor)
        _ = try stream.next()
        let delta = try stream.next()
        #expect(delta.name == "delta")
        #expect(delta.data.contains(#""remove":{},"place":[],"put":[{"id":"1","n":6}],"commits":"#))
    }

    @Test func aCursorOfASearchIsEnoughForADelta() throws {
        let server = try TestServer()
        _ = try server.send("PUT", "/v1/t/1", #"{"n":1}"#)
        let search = try JSONValue.parse(try server.send("GET", "/v1/t").body)
        let cursor = try #require(search["meta"]?["cursor"]?.stringValue)
        _ = try server.send("PUT", "/v1/t/0", #"{"n":0}"#)
        _ = try server.send("DELETE", "/v1/t/1")
        // Nobody has watched this query before: the retained history tells what has changed.
        let stream = try TestStream(server, "/v1/t?live=delta&since=\(cursor)")
        _ = try stream.next()
        let delta = try stream.next()
        #expect(
            delta.data.contains(
                #""remove":{"1":"deleted"},"place":[["0",0]],"put":[{"id":"0","n":0}]"#))
    }

    @Test func aLongPollAnswersWithTheNextChangeOrNothing() throws {
        let server = try TestServer()
        _ = try server.send("PUT", "/v1/t/1", #"{"n":1}"#)
        let first = try server.send("GET", "/v1/t?wait=5")
        #expect(first.status == 200)
        let answer = try JSONValue.parse(first.body)
        #expect(answer["snapshot"]?["items"]?.text == #"[{"id":"1","n":1}]"#)
        let cursor = try #require(answer["cursor"]?.stringValue)
        #expect(try server.send("GET", "/v1/t?since=\(cursor)&wait=0").status == 204)
        _ = try server.send("PUT", "/v1/t/1", #"{"n":2}"#)
        let second = try server.send("GET", "/v1/t?since=\(cursor)&wait=10")
        #expect(
            try JSONValue.parse(second.body)["delta"]?["put"]?.text == #"[{"id":"1","n":2}]"#)
        let third = try server.send("GET", "/v1/t?since=nonsense&wait=10")
        #expect(try JSONValue.parse(third.body)["snapshot"]?["why"]?.stringValue == "epoch")
    }

    @Test func oneEntityIsWatchedInDeltasToo() throws {
        let server = try TestServer()
        let stream = try TestStream(server, "/v1/t/7?live=delta")
        _ = try stream.next()
        #expect(try stream.next().data.contains(#""items":[]"#))
        _ = try server.send("PUT", "/v1/t/7", #"{"n":1}"#)
        #expect(
            try stream.next().data.contains(#""place":[["7",0]],"put":[{"id":"7","n":1}]"#))
        _ = try server.send("DELETE", "/v1/t/7")
        #expect(try stream.next().data.contains(#""remove":{"7":"deleted"}"#))
    }

    @Test func aThrottledWatcherGetsTheLastStateSoonAfterItsPause() throws {
        let server = try TestServer()
        let stream = try TestStream(server, "/v1/t/1?throttle=300&heartbeat=60")
        _ = try stream.next()
        _ = try stream.next()
        for number in 1...5 { _ = try server.send("PUT", "/v1/t/1", "{\"n\":\(number)}") }
        // Well before the heartbeat: the connection's own wait of fifty seconds is the proof.
        let deadline = TestDeadline("the watcher gets the last state")
        while try !stream.next().data.contains(#""n":5}"#) { try deadline.check() }
    }

    @Test func aStoppingServerSaysGoodbye() throws {
        let server = try TestServer()
        let stream = try TestStream(server, "/v1/t")
        _ = try stream.next()
        _ = try stream.next()
        server.server.stop()
        let bye = try stream.next()
        #expect(bye.name == "bye" && bye.data.contains(#""reason":"shutdown""#))
    }
}
