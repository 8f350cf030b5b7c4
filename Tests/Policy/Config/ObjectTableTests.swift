import FreshetCore
import FreshetJSON
import FreshetStore
import Testing

@testable import FreshetConfig

/// An object with a member of each kind of row.
private struct Machine: Sendable, Equatable {
    var name = ""
    var speed = 3
    var pause: Duration?
    var wheels: [Int] = []
    var isLoud = false

    static let table = ObjectTable<Machine>([
        Member("name", "what it is called", .text(), required: .value("a name"), to: \.name),
        Member("speed", "how fast", .integer(1...9), to: \.speed),
        Member("pause", "how long it rests", Form.time(0...1000).orNull(), to: \.pause),
        Member(
            "wheels", "their sizes", .list(of: .integer(1...5), or: "a list of sizes"),
            to: \.wheels),
        Member(
            "horn", "makes it loud", into: \.self,
            ObjectTable([Member("on", "whether it is on", .flag, to: \.isLoud)])),
        Member(
            "louder", "only of loud ones", .flag, in: { $0["horn"] != nil }, set: { _, _ in }),
    ]) { machine, _, place, reading in
        if machine.speed > 5, machine.wheels.isEmpty {
            reading.expected("wheels for that speed", at: place.appending("wheels"))
        }
    }
}

@Suite("Tables of members")
struct ObjectTableTests {
    private func read(_ text: String) throws -> (machine: Machine?, faults: [String]) {
        var reading = Reading()
        let machine = Machine.table.form(Machine()).read(
            try JSONValue.parse(text), JSONPointer(tokens: ["m"]), &reading)
        return (machine, reading.faults.map { "\($0.pointer): \($0.detail)" })
    }

    @Test("Each row fills its field, and what is absent or null leaves it")
    func fields() throws {
        let (machine, faults) = try read(
            #"{"name":"a","speed":7,"pause":"1s","wheels":[2,3],"horn":{"on":true},"louder":true}"#)
        #expect(faults == [])
        #expect(
            machine
                == Machine(
                    name: "a", speed: 7, pause: .seconds(1), wheels: [2, 3], isLoud: true))
        #expect(try read(#"{"name":"b","pause":null}"#) == (Machine(name: "b"), []))
    }

    @Test(
        "Faults come in the order of the rows, then the rule's, then members that are not known",
        arguments: [
            (#"[]"#, ["/m: expected an object"]),
            (#"{}"#, ["/m/name: expected a name"]),
            (
                #"{"sped":1,"speed":0,"name":5}"#,
                [
                    "/m/name: expected a string", "/m/speed: expected an integer from 1 to 9",
                    "/m/sped: unknown member; did you mean \"speed\"?",
                ]
            ),
            (#"{"name":"a","speed":6}"#, ["/m/wheels: expected wheels for that speed"]),
            (#"{"name":"a","wheels":[1,9]}"#, ["/m/wheels/1: expected an integer from 1 to 5"]),
            (#"{"name":"a","wheels":1}"#, ["/m/wheels: expected a list of sizes"]),
            (
                #"{"name":"a","louder":true}"#,
                ["/m/louder: unknown member; expected name, speed, pause, wheels, horn"]
            ),
            (
                #"{"name":"a","horn":{"of":1}}"#,
                ["/m/horn/of: unknown member; did you mean \"on\"?"]
            ),
        ])
    func faults(text: String, faults: [String]) throws {
        #expect(try read(text).faults == faults)
    }

    @Test("The JSON Schema has names, forms, bounds, defaults and meanings of the rows")
    func schema() {
        let schema = Machine.table.schema(of: Machine())
        #expect(schema["required"] == ["name"])
        #expect(schema["additionalProperties"] == false)
        #expect(
            schema["properties"]?["speed"] == [
                "type": "integer", "minimum": 1, "maximum": 9, "default": 3,
                "description": "how fast",
            ])
        #expect(schema["properties"]?["horn"]?["properties"]?["on"]?["type"] == "boolean")
    }
}
