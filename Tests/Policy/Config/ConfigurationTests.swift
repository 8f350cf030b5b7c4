import FreshetBase
import FreshetCore
import FreshetJSON
import FreshetRemote
import FreshetStore
import FreshetTestSupport
import Glibc
import Testing

@testable import FreshetConfig

struct ConfigurationFaultCase: Sendable, CustomTestStringConvertible {
    let text: String
    /// Each as `pointer: what was expected`, or a prefix of it.
    let faults: [String]

    init(_ text: String, _ faults: String...) {
        self.text = text
        self.faults = faults
    }

    var testDescription: String { text }

    static let all: [ConfigurationFaultCase] = [
        .init("[]", ": expected an object"),
        .init(#"{"listen":8080}"#, "/listen: expected an address such as"),
        .init(#"{"listen":"localhost"}"#, "/listen: expected an address such as"),
        .init(#"{"listen":"http://127.0.0.1:80"}"#, "/listen: expected an address such as"),
        .init(#"{"listen":"::1:80"}"#, "/listen: expected an address such as"),
        .init(#"{"listen":"127.0.0.1:65536"}"#, "/listen: expected an address such as"),
        .init(#"{"lisen":"a"}"#, "/lisen: unknown member; did you mean \"listen\"?"),
        .init(#"{"open":1}"#, "/open: expected true or false"),
        .init(#"{"data":""}"#, "/data: expected a text that is not empty"),
        .init(#"{"durability":"some"}"#, "/durability: expected one of \"full\", \"relaxed\""),
        .init(
            #"{"log":{"level":"loud","fromat":"json"}}"#,
            "/log/level: expected one of \"debug\"",
            "/log/fromat: unknown member; did you mean \"format\"?"),
        .init(#"{"log":"debug"}"#, "/log: expected an object"),
        .init(
            #"{"limits":{"body":"16 MiB","document":1,"headTimeout":10,"connections":0}}"#,
            "/limits/document: expected a size such as \"16MiB\", from 1KiB to 64MiB",
            "/limits/body: expected a size such as",
            "/limits/headTimeout: expected a time such as \"10s\", from 100ms to 1d",
            "/limits/connections: expected an integer from 1 to 1000000"),
        .init(#"{"limits":{"heartbeat":"4s"}}"#, "/limits/heartbeat: expected a time"),
        .init(#"{"limits":{"liveGroups":0}}"#, "/limits/liveGroups: expected an integer"),
        .init(#"{"hosts":"a"}"#, "/hosts: expected a list of host names"),
        .init(#"{"hosts":["a/b"]}"#, "/hosts: expected a host name"),
        .init(#"{"allowOrigins":["*"]}"#, "/allowOrigins: expected single origins"),
        .init(#"{"allowOrigins":["https://a/"]}"#, "/allowOrigins: expected an origin"),
        .init(#"{"allowOrigins":["null"]}"#, "/allowOrigins: expected an origin"),
        .init(
            #"{"allowOrigins":[],"cors":{"origins":[]}}"#,
            "/cors/origins: \"allowOrigins\" says the same already"),
        .init(#"{"cors":{"origin":[]}}"#, "/cors/origin: unknown member"),
        .init(
            #"{"operations":[],"conditions":{"a":1},"specs":{"b":{"nop":true}}}"#,
            "/conditions/a: expected an object",
            "/specs/b/nop: unknown operator; did you mean \"not\"?",
            "/operations: expected an object whose members are operations"),
        .init(#"{"types":[]}"#, "/types: expected an object"),
        .init(#"{"types":{"_a":{}}}"#, "/types/_a: expected a type name"),
        .init(
            #"{"types":{"a":{"properties":{"x~y":{"type":"strng"}}}}}"#,
            "/types/a/properties/x~0y/type: unknown type \"strng\"; did you mean \"string\"?"),
        .init(
            #"{"types":{"a":{"properties":{"x":{"type":"int"},"y":{"type":"bool"}}}}}"#,
            "/types/a/properties/x/type: unknown type \"int\"; did you mean \"integer\"?",
            "/types/a/properties/y/type: unknown type \"bool\"; did you mean \"boolean\"?"),
        .init(
            #"{"types":{"a":{"properties":{"x":{"type":"string","pattern":"("}}}}}"#,
            "/types/a/properties/x/pattern: at byte 1 of the pattern: expected a ) for the ( at"),
        .init(#"{"memory":true,"data":"d"}"#, "/memory: a data directory is given as well"),
        .init(#"{"durability":"memory","data":"d"}"#, "/durability: a data directory is given"),
        .init(#"{"memory":true,"durability":"relaxed"}"#, "/memory: a durability is given as well"),
        .init(
            #"{"types":{"a":{"durability":"relaxed"},"b":{"durability":"full"},"c":{}}}"#,
            "/types/a/durability: a type can be kept better than the server's"),
        .init(
            #"{"memory":true,"types":{"a":{"durability":"full"}}}"#,
            "/types/a/durability: the server keeps everything in memory"),
        .init(
            #"{"types":{"a":{"durability":"memory"},"b":{"store":"memory","durability":"full"}}}"#,
            "/types/a/durability: ", "/types/b/durability: entities in memory reach no disk"),
        .init(#"{"listen":"0.0.0.0:80"}"#, "/listen: 0.0.0.0:80 can be reached from other"),
        .init(#"{"listen":"[::]:80"}"#, "/listen: [::]:80 can be reached from other"),
    ]
}

@Suite("Configuration file")
struct ConfigurationFileTests {
    @Test(
        "Each fault names its pointer and what was expected", arguments: ConfigurationFaultCase.all)
    func faults(_ item: ConfigurationFaultCase) throws {
        let file = try TemporaryFile(item.text)
        let source = ConfigurationSource(flags: [:], environment: [:], path: file.path)
        let faults = source.resolve().faults.map { fault in
            switch fault.place {
            case .file(_, let pointer): "\(pointer): \(fault.expected)"
            default: fault.description
            }
        }
        #expect(faults.count == item.faults.count, "\(faults)")
        for (fault, expected) in zip(faults, item.faults) {
            #expect(fault.hasPrefix(expected), "\(fault)")
        }
    }

    @Test("Text that is no JSON is told by line and column")
    func noJSON() throws {
        let file = try TemporaryFile("{\n  \"listen\": ,\n}")
        let source = ConfigurationSource(flags: [:], environment: [:], path: file.path)
        #expect(
            source.resolve().faults.map(\.place) == [.text(file.path, line: 2, column: 13)])
        #expect(source.resolve().faults.first?.description.hasPrefix("\(file.path):2:13: ") == true)
    }

    @Test("A file that is not there is one sentence")
    func missing() throws {
        let source = ConfigurationSource(
            flags: [:], environment: [:], path: "/nowhere/freshet.json")
        #expect(
            source.resolve().faults.map(\.description) == [
                "/nowhere/freshet.json: cannot be read: No such file or directory"
            ])
    }

    @Test("A whole configuration is taken over value by value")
    func whole() throws {
        let file = try TemporaryFile(
            #"""
            {"$schema":"x","listen":"[::1]:0","data":"/d","durability":"relaxed","strict":true,
             "hosts":["a.example","b:81"],"allowOrigins":["https://a.example"],
             "log":{"level":"debug","format":"json"},
             "limits":{"document":"2MiB","body":65536,"queryTimeout":"1500ms","entities":10},
             "types":{"b":{},"a":{"store":"memory"}}}
            """#)
        let settings = try ConfigurationSource(flags: [:], environment: [:], path: file.path).load()
        #expect(settings.host == "::1" && settings.port == 0)
        #expect(settings.address == "[::1]:0")
        #expect(settings.storage == .directory("/d"))
        #expect(settings.durability == .relaxed)
        #expect(settings.isStrict && !settings.isOpen)
        #expect(settings.hosts == ["a.example", "b:81"])
        #expect(settings.allowedOrigins == ["https://a.example"])
        #expect(settings.logLevel == .debug && settings.logFormat == .json)
        #expect(settings.limits.documentBytes == 2 << 20)
        #expect(settings.limits.bodyBytes == 65536)
        #expect(settings.limits.queryTimeout == .milliseconds(1500))
        #expect(settings.limits.entities == 10)
        #expect(settings.types.map(\.name) == ["b", "a"])
    }
}

@Suite("Layers of the configuration")
struct ConfigurationLayerTests {
    private func source(
        _ flags: [String: [String]] = [:], _ environment: [String: String] = [:],
        file: String? = nil
    ) -> ConfigurationSource {
        ConfigurationSource(flags: flags, environment: environment, path: file)
    }

    @Test("Flags win over environment over file over default, and each value knows its origin")
    func precedence() throws {
        let file = try TemporaryFile(
            #"{"limits":{"line":"1KiB","headers":"2KiB","body":"3KiB"}}"#)
        let resolution = source(
            ["limit-line": ["4KiB"]],
            ["FRESHET_LIMIT_LINE": "5KiB", "FRESHET_LIMIT_HEADERS": "6KiB"], file: file.path
        ).resolve()
        #expect(resolution.faults == [])
        #expect(resolution.settings.limits.lineBytes == 4096)
        #expect(resolution.settings.limits.headerBytes == 6144)
        #expect(resolution.settings.limits.bodyBytes == 3072)
        #expect(resolution.settings.limits.documentBytes == 1 << 20)
        let origins = [Setting.Key.line, .headers, .body, .document].map { key in
            resolution.effective.first { $0.setting.key == key }?.originText
        }
        #expect(origins == ["--limit-line", "FRESHET_LIMIT_HEADERS", file.path, "default"])
    }

    @Test("Defaults alone are the useful start of the contract, and Limits agrees with the table")
    func defaults() throws {
        let settings = try source().load()
        #expect(settings.address == "127.0.0.1:8080")
        #expect(settings.storage == .directory("./freshet-data"))
        #expect(settings.durability == .full)
        #expect(settings.limits == Limits())
        #expect(ServeSettings.standard.storage == .memory)
        #expect(ServeSettings.standard.port == 0)
    }

    @Test("Memory and directory: the higher layer wins, the same layer is a fault")
    func storage() throws {
        let file = try TemporaryFile(#"{"memory":true}"#)
        #expect(try source(file: file.path).load().storage == .memory)
        #expect(try source(["data": ["d"]], file: file.path).load().storage == .directory("d"))
        #expect(try source(["memory": ["true"]], ["FRESHET_DATA": "d"]).load().storage == .memory)
        #expect(try source(["memory": ["true"]]).load().durability == .memory)
        #expect(try source(["durability": ["memory"]]).load().storage == .memory)
        let both = source(["memory": ["true"], "data": ["d"]]).resolve()
        #expect(both.faults.map(\.place) == [.flag("--memory")])
        // Memory has no durability.
        let kept = try source(["durability": ["full"]], file: file.path).load()
        #expect(kept.storage == .directory("./freshet-data") && kept.durability == .full)
        let promised = source(["memory": ["true"], "durability": ["full"]]).resolve()
        #expect(promised.faults.map(\.place) == [.flag("--memory")])
        let flag = try source(["memory": ["true"]], ["FRESHET_DURABILITY": "full"]).load()
        #expect(flag.storage == .memory && flag.durability == .memory)
    }

    @Test("Lists come from repeated flags and from variables with commas")
    func lists() throws {
        #expect(try source(["allow-host": ["a", "b"]]).load().hosts == ["a", "b"])
        #expect(
            try source([:], ["FRESHET_ALLOW_ORIGIN": "https://a, http://b:1"]).load()
                .allowedOrigins == ["https://a", "http://b:1"])
    }

    @Test("Faults of flags and variables name them; empty and foreign variables are ignored")
    func places() {
        let faults = source(
            ["listen": ["x"]],
            [
                "FRESHET_LOG_LEVEL": "loud", "FRESHET_DATA": "",
                "FRESHET_PORT": "tcp://10.0.0.1:8080",
            ]
        ).resolve().faults
        #expect(faults.map(\.place) == [.flag("--listen"), .environment("FRESHET_LOG_LEVEL")])
    }

    @Test("Beyond loopback the start is refused unless told to be open")
    func open() throws {
        #expect(source(["listen": [":80"]]).resolve().faults.count == 1)
        #expect(source(["listen": ["example.org:80"]]).resolve().faults.count == 1)
        #expect(source(["listen": [":80"], "open": ["true"]]).resolve().faults == [])
        #expect(source(["listen": ["127.3.2.1:80"]]).resolve().faults == [])
        #expect(source(["listen": ["localhost:80"]]).resolve().faults == [])
        #expect(source(["listen": ["8081"]]).resolve().settings.address == "127.0.0.1:8081")
    }

    @Test("Every setting has one row, one flag and one variable")
    func table() {
        #expect(Setting.all.map(\.key) == Setting.Key.allCases)
        #expect(Set(Setting.all.map(\.flag)).count == Setting.all.count)
        for setting in Setting.all {
            #expect(!setting.help.isEmpty)
            guard setting.takesValue, !setting.isList else { continue }
            let text = setting.text(of: setting.standard)
            #expect((try? setting.value(ofTexts: [text])) == setting.standard, "\(setting.key)")
        }
        #expect(Setting.setting(.listen).environment == "FRESHET_LISTEN")
        #expect(Setting.setting(.headTimeout).flag == "limit-head-timeout")
        #expect(Setting.setting(.logLevel).environment == "FRESHET_LOG_LEVEL")
    }

    @Test("The JSON Schema has every setting and allows nothing else")
    func schema() {
        let schema = ConfigurationSchema.schema
        for setting in Setting.all {
            var value = schema
            for name in setting.path {
                #expect(value["additionalProperties"]?.boolValue == false)
                value = value["properties"]?[name] ?? nil
            }
            #expect(value["description"]?.stringValue?.hasPrefix(setting.help) == true)
        }
        #expect(ConfigurationSchema.text.hasSuffix("}\n"))
    }

    @Test("Every member of the JSON Schema says what it means")
    func texts() {
        var places: Set<String> = []
        func walk(_ node: JSONValue, _ path: String) {
            for property in node["properties"]?.objectValue ?? [] {
                let place = path.isEmpty ? property.name : "\(path).\(property.name)"
                guard property.value.objectValue != nil else { continue }
                places.insert(place)
                #expect(property.value["description"]?.stringValue?.isEmpty == false, "\(place)")
                walk(property.value, place)
            }
            if let child = node["additionalProperties"] { walk(child, path + ".*") }
            if let child = node["items"] { walk(child, path + "[]") }
            for form in (node["anyOf"]?.arrayValue ?? []) + (node["oneOf"]?.arrayValue ?? []) {
                walk(form, path)
            }
        }
        let schema = ConfigurationSchema.schema
        walk(schema, "")
        for definition in schema["$defs"]?.objectValue ?? [] {
            let isProperty = ["property", "member", "element"].contains(definition.name)
            walk(definition.value, isProperty ? "types.*.properties.*" : definition.name)
        }
        #expect(places.count > 200)
    }

    @Test("A default that a row tells is what holds without the member")
    func toldDefaults() throws {
        var told = 0
        func check<Value: Equatable>(
            _ form: Form<Value>, _ schema: JSONValue, _ least: JSONValue
        ) throws {
            var reading = Reading()
            let without = try #require(form.read(least, JSONPointer(), &reading))
            for property in schema["properties"]?.objectValue ?? [] {
                guard let standard = property.value["default"] else { continue }
                told += 1
                let given = least.adding([.init(name: property.name, value: standard)])
                #expect(form.read(given, JSONPointer(), &reading) == without, "\(property.name)")
            }
            #expect(reading.faults == [])
        }
        let upstream = UpstreamDeclaration.all.schema["additionalProperties"] ?? nil
        let one = UpstreamDeclaration.all.map { $0.first?.settings }
        let form = Form<UpstreamSettings>(upstream) { value, place, reading in
            one.read(.object([.init(name: "a", value: value)]), place, &reading)
        }
        try check(form, upstream, ["base": "http://a"])
        try check(
            OAuth2Configuration.form, OAuth2Configuration.definition.value,
            ["type": "oauth2", "tokenURL": "http://a/t", "grant": "client_credentials"])
        #expect(told > 10)
    }
}

@Suite("Texts of settings")
struct SettingTextTests {
    @Test("Sizes and times have units")
    func units() {
        #expect(SettingText.bytes("16MiB") == 16 << 20)
        #expect(SettingText.bytes("1GiB") == 1 << 30)
        #expect(SettingText.bytes("2kB") == 2000)
        #expect(SettingText.bytes("7") == 7)
        for text in ["", "MiB", "1 MiB", "-1", "1.5MiB", "9999999999999GiB", "1mib", "+1"] {
            #expect(SettingText.bytes(text) == nil, "\(text)")
        }
        #expect(SettingText.milliseconds("10s") == 10_000)
        #expect(SettingText.milliseconds("250ms") == 250)
        #expect(SettingText.milliseconds("2h") == 7_200_000)
        for text in ["", "10", "s", "1.5s", "10 s", "10S"] {
            #expect(SettingText.milliseconds(text) == nil, "\(text)")
        }
        #expect(SettingText.text(bytes: 1536) == "1536")
        #expect(SettingText.text(bytes: 0) == "0")
        #expect(SettingText.text(milliseconds: 1500) == "1500ms")
        #expect(SettingText.text(milliseconds: 0) == "0ms")
    }
}
