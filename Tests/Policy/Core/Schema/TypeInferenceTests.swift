import FreshetBase
import FreshetEngine
import FreshetJSON
import FreshetQuery
import FreshetTestSupport
import Testing

@testable import FreshetCore

@Suite struct TypeInferenceTests {
    private func documents(_ entities: [String]) throws -> [Document] {
        try entities.map { text in
            var builder = DocumentBuilder()
            let document = try Array(text.utf8).withUnsafeBytes {
                try builder.build(json: $0, id: .fromBody)
            }
            document.seal(revision: 1)
            return document
        }
    }

    private func infer(_ entities: [String], rows: Int = 3) throws -> InferredType {
        let inference = TypeInference(try documents(entities))
        while !inference.run(rows: rows) {}
        return inference.result
    }

    private func property(_ name: String, _ values: [String]) throws -> InferredProperty {
        let entities = values.enumerated().map { "{\"id\":\($0),\"p\":\($1)}" }
        return try #require(
            try infer(entities).properties.first { $0.path.description == name })
    }

    private func kinds(_ property: InferredProperty) -> [String] {
        property.kinds.map { "\($0.kind.name) \($0.count)" }
    }

    private func most(_ property: InferredProperty) -> [String] {
        property.most.map { "\(String(decoding: $0.value, as: UTF8.self)) \($0.count)" }
    }

    @Test("Properties are told by frequency, down to three levels, and declared")
    func properties() throws {
        let found = try infer([
            #"{"id":1,"title":"a","author":{"name":"x","id":5,"at":{"city":{"zip":1}}}}"#,
            #"{"id":2,"title":"b","author":{"name":"y","id":6}}"#,
            #"{"id":3,"title":null,"first name":true,"tags":["a"]}"#,
        ])
        #expect(found.sampled == 3)
        #expect(
            found.properties.map { "\($0.path) \($0.seen)" } == [
                "title 3", "author 2", "author.name 2", "author.id 2", "author.at 1",
                "author.at.city 1", "`first name` 1", "tags 1",
            ])
        #expect(
            try found.schema
                == JSONValue.parse(
                    #"""
                    {"identifier":"integer","properties":{
                     "title":{"type":"string","nullable":true},
                     "author":{"type":"object","properties":{"name":{"type":"string"},
                      "id":{"type":"integer"},
                      "at":{"type":"object","properties":{"city":{"type":"object"}}}}},
                     "first name":{"type":"boolean"},"tags":{"type":"array"}}}
                    """#), "\(found.schema.text)")
    }

    @Test("Nothing is inferred from nothing")
    func nothing() throws {
        let found = try infer([])
        #expect(found.sampled == 0 && found.properties.isEmpty)
        #expect(found.schema == ["properties": [:]])
        #expect(try infer([#"{"id":"a"}"#, #"{"id":1}"#]).schema == ["properties": [:]])
    }

    @Test("Values are counted, and the least, the greatest and the longest are told")
    func values() throws {
        let words = try property("p", [#""b""#, #""a""#, #""b""#, "null", #""éé😀""#])
        #expect(kinds(words) == ["string 4", "null 1"])
        #expect(words.distinct == 3 && words.maxLength == 3 && words.format == nil)
        #expect(most(words) == [#""b" 2"#, #""a" 1"#, #""éé😀" 1"#])
        #expect(words.least.map { String(decoding: $0, as: UTF8.self) } == #""a""#)
        #expect(words.greatest.map { String(decoding: $0, as: UTF8.self) } == #""éé😀""#)

        let numbers = try property(
            "p", ["9007199254740993", "9007199254740992", "0.10", "-1e400", "true", #""z""#])
        #expect(kinds(numbers) == ["number 4", "boolean 1", "string 1"])
        #expect(numbers.least.map { String(decoding: $0, as: UTF8.self) } == "-1e400")
        #expect(numbers.greatest.map { String(decoding: $0, as: UTF8.self) } == "9007199254740993")
        #expect(numbers.distinct == 6)

        let nulls = try property("p", ["null", "null"])
        #expect(nulls.distinct == 0 && nulls.most.isEmpty && nulls.least == nil)
    }

    @Test("Where values are too many or too long they are not told apart")
    func bounds() throws {
        let hundred = (0..<100).map { "\($0)" }
        #expect(try property("p", hundred).distinct == 100)
        let more = try property("p", hundred + ["100", "7"])
        #expect(more.distinct == nil && most(more).first == "7 2")
        #expect(most(more).dropFirst() == ["0 1", "1 1", "2 1", "3 1"])
        // What comes behind the first thousand is not counted; what came before is.
        let thousands = (0..<1_500).map { "\($0)" }
        #expect(most(try property("p", thousands + ["1400", "1400", "3"])).first == "3 2")
        #expect(try property("p", ["[1]", "2"]).distinct == nil)
        let long = try property("p", ["\"\(String(repeating: "x", count: 300))\"", #""a""#])
        #expect(long.distinct == nil && most(long) == [#""a" 1"#] && long.maxLength == 300)
        #expect(
            long.greatest == JSONValue.string(String(repeating: "x", count: 256) + "…").bytes)
    }

    @Test(
        "Strings that all have one form are declared so",
        arguments: [
            (["2026-01-02T03:04:05Z", "2026-01-02T03:04:05.5+01:00"], "date-time"),
            (["2026-01-02", "2026-02-28"], "date"), (["P1D", "PT5M"], "duration"),
            (["https://a.test/", "redis://b"], "uri"), (["2026-01-02", "P1D"], nil),
            (["work:home"], nil), ([""], nil), (["2026-02-30"], nil),
        ] as [([String], String?)])
    func formats(texts: [String], format: String?) throws {
        let found = try property("p", texts.map { "\"\($0)\"" })
        #expect(found.format?.rawValue == format)
    }

    @Test("The most frequent two hundred names are kept, with the objects that they are in")
    func names() throws {
        var entities: [String] = []
        for id in 0..<300 {
            // Each has a key of its own, in front of what all have.
            entities.append(
                "{\"id\":\(id),\"own\(id)\":1,\"deep\":{\"own\(id)\":2,\"all\":3},\"all\":4}")
        }
        let found = try infer(entities, rows: 16)
        #expect(found.properties.count == TypeInference.mostProperties)
        #expect(
            found.properties.prefix(3).map { "\($0.path) \($0.seen)" } == [
                "deep 300", "deep.all 300", "all 300",
            ])
        let names = Set(found.properties.map(\.path.description))
        for property in found.properties where property.path.count > 1 {
            #expect(names.contains(property.path.names[0].text))
        }
        let long = String(repeating: "n", count: TypeInference.longestName + 1)
        #expect(try infer(["{\"id\":1,\"\(long)\":1}"]).properties.isEmpty)
    }

    @Test("The schema is one that the configuration takes, and every sampled entity fits it")
    func model() throws {
        let seed = TestSeed.first
        var random = SplitMix(seed: seed)
        for _ in FuzzRounds(300) {
            var entities: [String] = []
            for id in 0...random.next(12) {
                let members = Self.members(1, &random)
                let name = random.next(2) == 0 ? "\(id)" : "\"\(id)\""
                entities.append("{\"id\":\(name)" + members.map { "," + $0 }.joined() + "}")
            }
            let found = try infer(entities, rows: 1 + random.next(5))
            let (schema, faults) = try readType(found.schema.text)
            #expect(faults == [], "seed \(seed): \(found.schema.text)")
            for document in try documents(entities) {
                let faults = schema?.faults(ofStored: document) ?? []
                #expect(faults == [], "seed \(seed): \(entities) as \(found.schema.text)")
            }
            for property in found.properties {
                let counted = property.kinds.reduce(0) { $0 + $1.count }
                #expect(counted == property.seen && property.seen <= found.sampled)
                #expect(property.most.reduce(0) { $0 + $1.count } <= property.seen)
            }
        }
    }

    private static let names = ["a", "b", "c d", "\\\"", "", "id2", "__proto__", "é", "`"]
    private static let scalars = [
        "null", "true", "1", "1.0", "1.5", "1e400", "-0", #""""#, #""x""#, #""2026-01-02""#,
        #""2026-01-02T03:04:05Z""#, #""https://a.test""#, #""PT5M""#, #""\n\u0001""#, "[]", "[1]",
        "{}",
    ]

    private static func members(_ depth: Int, _ random: inout SplitMix) -> [String] {
        var members: [String] = []
        for name in names where random.next(2) == 0 {
            let isNested = depth < 5 && random.next(4) == 0
            let value =
                isNested
                ? "{" + Self.members(depth + 1, &random).joined(separator: ",") + "}"
                : scalars[random.next(scalars.count)]
            members.append("\"\(name)\":\(value)")
        }
        return members
    }
}
