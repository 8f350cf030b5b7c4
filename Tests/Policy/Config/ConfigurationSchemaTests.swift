import FreshetCore
import FreshetJSON
import Testing

@testable import FreshetConfig

/// Enough of JSON Schema 2020-12 to read our own: true where `value` fits.
struct JSONSchemaReader {
    let root: JSONValue

    func accepts(_ value: JSONValue, _ schema: JSONValue) throws -> Bool {
        if let isAny = schema.boolValue { return isAny }
        for member in schema.objectValue ?? [] {
            guard try accepts(value, member.name, member.value, in: schema) else { return false }
        }
        return true
    }

    private func accepts(
        _ value: JSONValue, _ keyword: String, _ rule: JSONValue, in schema: JSONValue
    ) throws -> Bool {
        switch keyword {
        case "$schema", "$defs", "title", "description", "default", "then", "else": return true
        case "$ref":
            var target = root
            for name in (rule.stringValue ?? "").split(separator: "/").dropFirst() {
                target = try #require(target[String(name)])
            }
            return try accepts(value, target)
        case "type":
            return (rule.arrayValue ?? [rule]).contains { kind in isKind(value, kind.stringValue) }
        case "enum": return rule.arrayValue?.contains(value) ?? false
        case "const": return rule == value
        case "not": return try !accepts(value, rule)
        case "anyOf": return try rule.arrayValue?.contains { try accepts(value, $0) } ?? false
        case "allOf": return try rule.arrayValue?.allSatisfy { try accepts(value, $0) } ?? false
        case "if":
            let branch = try accepts(value, rule) ? "then" : "else"
            return try schema[branch].map { try accepts(value, $0) } ?? true
        case "required":
            guard value.objectValue != nil else { return true }
            return rule.arrayValue?.allSatisfy { value[$0.stringValue ?? ""] != nil } ?? false
        case "dependentRequired":
            return (rule.objectValue ?? []).allSatisfy { dependency in
                value[dependency.name] == nil
                    || dependency.value.arrayValue?.allSatisfy {
                        value[$0.stringValue ?? ""] != nil
                    } ?? false
            }
        case "properties":
            return try (value.objectValue ?? []).allSatisfy { member in
                try rule[member.name].map { try accepts(member.value, $0) } ?? true
            }
        case "additionalProperties":
            return try (value.objectValue ?? []).allSatisfy { member in
                if schema["properties"]?[member.name] != nil { return true }
                return try accepts(member.value, rule)
            }
        case "propertyNames":
            return try (value.objectValue ?? []).allSatisfy {
                try accepts(.string($0.name), rule)
            }
        case "items": return try (value.arrayValue ?? []).allSatisfy { try accepts($0, rule) }
        case "minItems": return value.arrayValue.map { $0.count >= rule.int64Value ?? 0 } ?? true
        case "uniqueItems":
            let items = value.arrayValue ?? []
            return items.indices.allSatisfy { !items[..<$0].contains(items[$0]) }
        case "minLength":
            return value.stringValue.map { $0.unicodeScalars.count >= rule.int64Value ?? 0 } ?? true
        case "minimum", "maximum":
            guard let number = value.doubleValue, let bound = rule.doubleValue else { return true }
            return keyword == "minimum" ? number >= bound : number <= bound
        case "pattern":
            guard let text = value.stringValue else { return true }
            let pattern = try Regex(try #require(rule.stringValue))
            return try pattern.firstMatch(in: text) != nil
        default:
            Issue.record("the schema has the keyword \(keyword), which this test does not know")
            return false
        }
    }

    private func isKind(_ value: JSONValue, _ kind: String?) -> Bool {
        switch (value, kind) {
        case (.null, "null"), (.bool, "boolean"), (.number, "number"), (.string, "string"),
            (.array, "array"), (.object, "object"):
            true
        case (.number, "integer"): value.int64Value != nil
        default: false
        }
    }
}

/// A configuration, and whether it is in order.
struct ConfigurationCase: Sendable, CustomTestStringConvertible {
    let text: String
    let isGood: Bool

    var testDescription: String { text }

    private static func types(_ declarations: [String]) -> [String] {
        declarations.map { "{\"types\":{\"a\":\($0)}}" }
    }

    private static func properties(_ declarations: [String]) -> [String] {
        types(declarations.map { "{\"properties\":{\"p\":\($0)}}" })
    }

    static let good: [String] =
        [
            "{}", #"{"$schema":"x","listen":"127.0.0.1:0"}"#, #"{"listen":"8080"}"#,
            #"{"listen":"[::1]:65535"}"#, #"{"listen":"localhost:00080"}"#,
            #"{"limits":{"document":"2MiB","body":1048576,"headTimeout":"5s","connections":5}}"#,
            #"{"hosts":["a.example","a.example:81","[::1]"],"allowOrigins":["http://a:1"]}"#,
            #"{"cors":{"origins":["https://a.example"]}}"#, #"{"strict":true,"open":false}"#,
            #"{"log":{"level":"debug","format":"json"},"durability":"relaxed","memory":false}"#,
            #"{"data":"x"}"#, #"{"types":{}}"#,
            #"{"conditions":{"a":{},"b-c.d":{"initial":true,"persist":false}}}"#,
            #"{"specs":{"a":true,"b":{"and":[{"spec":"a"},{"age":"1s"},{"not":{"subscribers":1}}]}}}"#,
            #"{"specs":{"a":{"window":{"days":["mon","tue-fri"],"tz":"Asia/Tokyo"}},"b":{"cron":"0 3 * * *"}}}"#,
            #"{"specs":{"a":{"age":{"gt":"1s","lt":"1h"}},"b":{"status":{"is":["idle"]}},"c":{"value":"absent"}}}"#,
            #"{"operations":{"o":{"type":"t","stale":[{"age":"1m"}],"refetch":{"every":null,"on":[]}}}}"#,
            #"{"operations":{"o":{"type":"t","kind":"pages","admit":{"when":true,"otherwise":"wait"}}}}"#,
        ]
        + types([
            "{}", #"{"identifier":"integer","store":"memory","additionalProperties":false}"#,
            #"{"indexes":["a",["b","-c.d"],"`x y`"]}"#,
            #"{"relationships":{"r":{"type":"b","association":"many"},"s":{"type":"b","by":"r"}}}"#,
            #"{"contracts":{"c":{"requires":["a"],"where":"a == 1"},"d":{}}}"#,
        ])
        + properties([
            #"{"type":"string","required":true,"minLength":1,"maxLength":2,"pattern":"^a"}"#,
            #"{"type":"string","enum":["a",null],"nullable":true,"default":null,"silent":true}"#,
            #"{"type":"integer","minimum":-1,"maximum":1.5,"lazy":true,"required":false}"#,
            #"{"type":"array","items":{"type":"uri","required":false},"minItems":1,"maxItems":2}"#,
            #"{"type":"object","required":["q"],"properties":{"q":{"type":"date","required":true}}}"#,
            #"{"type":"object","required":true,"additionalProperties":false}"#,
            #"{"type":"array","items":{"type":"object","required":["q"],"properties":{"q":{"type":"any"}}}}"#,
            #"{"type":"boolean"}"#, #"{"type":"date-time"}"#, #"{"type":"duration"}"#,
            #"{"type":"any","default":{"a":[1]}}"#,
        ])
        + upstreams([
            #"{"base":"HTTPS://a.example:8443/v2/"}"#,
            #"{"base":"http://169.254.1.1","allowLinkLocal":true,"headers":{"A":"b"}}"#,
            #"{"base":"http://a","timeout":"1s","maxConcurrent":1,"maxWaiting":0,"maxBody":5}"#,
            #"{"base":"http://a","connectTimeout":"2s","denyPrivate":true,"tls":{}}"#,
            #"{"base":"https://a","proxy":"http://p.example:3128/","denyPrivate":false}"#,
            #"{"base":"http://a","retry":{"limit":0,"backoff":{"max":"0s","jitter":true}}}"#,
            #"{"base":"http://a","fallback":[],"probe":{"path":"/","expect":[]}}"#,
            #"{"base":"http://a","fallback":["timeout",400],"probe":{"path":"/a","rise":1}}"#,
        ])
        + remotes([
            #""get":{"path":"/{id}","query":{"v":2,"x":true},"item":""},"rejected":"keep""#,
            #""search":{"path":"/a/","items":"/x~1y","total":"/n","pageSize":1,"maxPages":1}"#,
            #""create":{"path":"/a","sendId":false},"update":{"method":"PATCH","path":"/{id}"}"#,
            #""remove":{"path":"/{id}"},"id":"/a/b","rename":{"a":"b"},"fallback":[503]"#,
            #""extract":{"a":{"type":"p","at":"/a","id":"/k","rename":{"x":"y"}}}"#,
            #""endpoints":{"a":{"path":"/{x}","query":{"q":"{since}"}}}"#,
            #""endpoints":{"a":{"path":"/{id}/{x}","method":"DELETE","item":"/a"}}"#,
        ])
        + controllers([
            #"{"poll":{"every":"30s"},"attach":"always","while":true}"#,
            #"{"edge":{"when":false}}"#,
            #"{"freshet":{"upstream":"api","query":"/v1/t","mode":"delta"},"reconnect":{"max":"1m"}}"#,
            #"{"sse":{"upstream":"api","path":"/e"},"reduce":[{"on":"*","do":"set"}],"initial":null}"#,
        ])

    /// Each a controller of an operation.
    private static func controllers(_ values: [String]) -> [String] {
        values.map {
            #"{"upstreams":{"api":{"base":"http://a"}},"operations":{"o":{"type":"t","controllers":["#
                + $0 + "]}}}"
        }
    }

    /// Each the members of a remote beside its upstream.
    private static func remotes(_ members: [String]) -> [String] {
        members.map {
            #"{"upstreams":{"api":{"base":"http://a"}},"types":{"t":{"remote":{"upstream":"api","#
                + $0 + "}}}}"
        }
    }

    private static func upstreams(_ values: [String]) -> [String] {
        values.map { #"{"upstreams":{"api":"# + $0 + "}}" }
    }

    static let bad: [String] =
        [
            "[]", #"{"lisen":"127.0.0.1:0"}"#, #"{"listen":"127.0.0.1:65536"}"#,
            #"{"listen":8080}"#, #"{"listen":"a b:80"}"#, #"{"listen":"host"}"#,
            #"{"limits":{"document":"2 MiB"}}"#, #"{"limits":{"document":1}}"#,
            #"{"limits":{"headTimeout":5}}"#, #"{"limits":{"connections":0}}"#,
            #"{"limits":{"connections":"5"}}"#, #"{"limits":{"connection":5}}"#,
            #"{"limits":[]}"#, #"{"hosts":"a"}"#, #"{"hosts":[1]}"#, #"{"hosts":["a b"]}"#,
            #"{"allowOrigins":["*"]}"#, #"{"allowOrigins":["a.example"]}"#,
            #"{"allowOrigins":["http://a/b"]}"#, #"{"cors":{"origin":[]}}"#,
            #"{"cors":{"origins":[]},"allowOrigins":[]}"#, #"{"strict":"yes"}"#,
            #"{"log":{"level":"loud"}}"#, #"{"log":{"levels":"info"}}"#, #"{"data":""}"#,
            #"{"durability":"none"}"#, #"{"types":[]}"#, #"{"types":{"1a":{}}}"#,
            #"{"types":{"a b":{}}}"#, #"{"types":{"a":[]}}"#, #"{"conditions":{"a":true}}"#,
            #"{"conditions":{"a b":{}}}"#, #"{"specs":{"a":{}}}"#, #"{"specs":{"a":{"and":{}}}}"#,
            #"{"specs":{"a":{"age":5}}}"#, #"{"specs":{"a":{"nope":1}}}"#,
            #"{"specs":{"a":{"or":[],"and":[]}}}"#, #"{"operations":{"o":{}}}"#,
            #"{"operations":{"o":{"type":"t","refetch":{"onFall":"stop"}}}}"#,
            #"{"operations":{"o":{"type":"t","evict":"1m"}}}"#,
        ]
        + types([
            #"{"identifier":"uuid"}"#, #"{"propertys":{}}"#, #"{"store":"disk"}"#,
            #"{"properties":{"id":{"type":"string"}}}"#, #"{"properties":[]}"#,
            #"{"properties":{"_meta":{"type":"any"}}}"#,
            #"{"additionalProperties":{}}"#, #"{"indexes":[1]}"#, #"{"indexes":[[]]}"#,
            #"{"indexes":[""]}"#, #"{"indexes":"a"}"#, #"{"indexes":[["a",1]]}"#,
            #"{"relationships":{"r":{"type":"b"}}}"#,
            #"{"relationships":{"r":{"association":"one"}}}"#,
            #"{"relationships":{"r":{"type":"b c","association":"one"}}}"#,
            #"{"relationships":{"r":{"type":"b","association":"two"}}}"#,
            #"{"relationships":{"r":{"type":"b","association":"one","x":1}}}"#,
            #"{"contracts":{"c":{"requires":"a"}}}"#, #"{"contracts":{"c":{"require":[]}}}"#,
            #"{"remote":{}}"#, #"{"remote":{"upstream":1}}"#,
            #"{"remote":{"upstream":"api","get":{"path":"todos"}}}"#,
        ])
        + remotes([
            #""get":{"path":"/{id}","method":"POST"}"#, #""get":{"item":"/a"}"#,
            #""search":{"path":"/a?b=1"}"#, #""search":{"path":"/a","query":{"b":null}}"#,
            #""search":{"path":"/a","items":"a"}"#, #""search":{"path":"/a","pageSize":0}"#,
            #""create":{"path":"/a","sendID":true}"#, #""rejected":"drop""#, #""id":"""#,
            #""rename":{"a":"id"}"#, #""extract":{"a":{"type":"p"}}"#,
            #""extract":{"id":{"type":"p","at":"/a"}}"#, #""endpoints":{"a b":{"path":"/a"}}"#,
            #""endpoints":{"a":{"path":"/a","method":"GET"}}"#,
            #""endpoints":{"a":{"path":"/a","method":"POST","items":"/a"}}"#,
            #""fallback":[200]"#, #""cache":true"#,
        ])
        + controllers([
            #"{"poll":{}}"#, #"{"poll":{"every":30}}"#,
            #"{"poll":{"every":"30s"},"attach":"never"}"#,
            #"{"edge":{"when":1}}"#, #"{"freshet":{"upstream":"api"}}"#,
            #"{"sse":{"upstream":"api","path":"/e"},"reduce":[{"on":"*"}]}"#,
            #"{"sse":{"upstream":"api","path":"/e"},"reduce":[{"on":"*","do":"set"}],"limt":1}"#,
        ])
        + upstreams([
            "{}", #"{"base":"ftp://a"}"#, #"{"base":"http://a","timeout":5}"#,
            #"{"base":"http://a","maxConcurrent":0}"#, #"{"base":"http://a","maxBody":"1 MiB"}"#,
            #"{"base":"http://a","headers":{"A":5}}"#, #"{"base":"http://a","retry":{"limits":1}}"#,
            #"{"base":"http://a","retry":{"backoff":{"max":5}}}"#,
            #"{"base":"http://a","tls":{"root":"/a"}}"#,
            #"{"base":"http://a","proxy":"socks5://p"}"#,
            #"{"base":"https://a","tls":{"certificate":"/a"}}"#,
            #"{"base":"http://a","fallback":"timeout"}"#, #"{"base":"http://a","probe":{}}"#,
            #"{"base":"http://a","probe":{"path":"/","expect":[20]}}"#,
            #"{"base":"http://a","credential":{"type":"basic"}}"#, #"{"bases":"http://a"}"#,
        ])
        + properties([
            "1", "{}", #"{"type":"text"}"#, #"{"type":"string","minimum":1}"#,
            #"{"type":"integer","minLength":1}"#, #"{"type":"uri","pattern":"a"}"#,
            #"{"type":"string","pattern":1}"#, #"{"type":"string","items":{"type":"any"}}"#,
            #"{"type":"string","minItems":1}"#, #"{"type":"array","properties":{}}"#,
            #"{"type":"array","additionalProperties":true}"#,
            #"{"type":"string","required":["a"]}"#, #"{"type":"string","required":1}"#,
            #"{"type":"string","minLength":-1}"#, #"{"type":"string","minLength":1.5}"#,
            #"{"type":"integer","minimum":"1"}"#, #"{"type":"string","enum":[]}"#,
            #"{"type":"string","enum":["a","a"]}"#, #"{"type":"string","enum":"a"}"#,
            #"{"type":"string","nullable":1}"#, #"{"type":"string","silent":"yes"}"#,
            #"{"type":"string","required":true,"lazy":true}"#, #"{"type":"string","format":"x"}"#,
            #"{"type":"array","items":{"type":"string","required":true}}"#,
            #"{"type":"array","items":{"type":"string","default":"a"}}"#,
            #"{"type":"array","items":{}}"#, #"{"type":"array","items":[]}"#,
            #"{"type":"array","items":{"type":"string","minimum":1}}"#,
            #"{"type":"object","properties":{"q":{"type":"any","lazy":true}}}"#,
            #"{"type":"object","properties":{"q":{"type":"nothing"}}}"#,
            #"{"type":"object","properties":{"q":{"type":"any","x":1}}}"#,
            #"{"type":"object","properties":{"q":{"type":"array","items":{"type":"string","x":1}}}}"#,
            #"{"type":"object","required":["a","a"]}"#, #"{"type":"object","required":[1]}"#,
        ])

    static let all =
        good.map { ConfigurationCase(text: $0, isGood: true) }
        + bad.map { ConfigurationCase(text: $0, isGood: false) }
}

@Suite("The configuration's JSON Schema")
struct ConfigurationSchemaTests {
    @Test("It and the reader agree on what is a configuration", arguments: ConfigurationCase.all)
    func agreement(_ item: ConfigurationCase) throws {
        var faults: [ConfigurationFault] = []
        _ = ConfigurationFile.read(Array(item.text.utf8), path: "file", faults: &faults)
        #expect(faults.isEmpty == item.isGood, "the reader: \(faults.map(\.description))")
        let schema = ConfigurationSchema.schema
        let value = try JSONValue.parse(item.text)
        let isTaken = try JSONSchemaReader(root: schema).accepts(value, schema)
        #expect(isTaken == item.isGood, "the schema")
    }
}
