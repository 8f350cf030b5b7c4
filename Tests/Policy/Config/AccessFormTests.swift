import FreshetBase
import FreshetCore
import FreshetJSON
import FreshetQuery
import FreshetStore
import FreshetTestSupport
import Testing

@testable import FreshetConfig

@Suite struct AccessFormTests {
    private static let digest = SHA256Digest(of: "x").hexadecimal

    private func read(_ text: String) throws -> (AccessSettings?, [String]) {
        var reading = Reading()
        let value = try JSONValue.parse(
            Array(
                text.split(separator: "@", omittingEmptySubsequences: false)
                    .joined(separator: Self.digest).utf8))
        let settings = AccessSettings.form.read(
            value, JSONPointer().appending("access"), &reading)
        return (settings, reading.faults.map { "\($0.pointer): \($0.detail)" })
    }

    @Test(
        arguments: [
            (#"[]"#, "/access: expected an object"),
            (#"{"token":[]}"#, "/access/token: unknown member"),
            (#"{"tokens":{}}"#, "/access/tokens: expected a list"),
            (#"{"anonymous":{"a":true}}"#, "/access/anonymous/a: expected an object"),
            (#"{"anonymous":{"_a":{}}}"#, "/access/anonymous/_a: expected a type name"),
            (#"{"anonymous":{"a":{"read":1}}}"#, "/access/anonymous/a/read: expected true"),
            (#"{"anonymous":{"a":{"raed":true}}}"#, "/access/anonymous/a/raed: unknown member"),
            (
                #"{"anonymous":{"a":{"read":"owner == $subject"}}}"#,
                "/access/anonymous/a/read: expected a rule without $subject"
            ),
            (#"{"anonymous":{"*":{"write":"a =="}}}"#, "/access/anonymous/*/write: expected a fil"),
            (#"{"anonymous":{"*":{"level":"all"}}}"#, "/access/anonymous/*/level: expected one of"),
            (#"{"tokens":[{"sha256":"@"}]}"#, "/access/tokens/0/name: expected a name"),
            (#"{"tokens":[{"name":".","sha256":"@"}]}"#, "/access/tokens/0/name: expected a name"),
            (#"{"tokens":[{"name":"..","sha256":"@"}]}"#, "/access/tokens/0/name: expected a name"),
            (#"{"tokens":[{"name":"a"}]}"#, "/access/tokens/0/sha256: expected the SHA-256"),
            (#"{"tokens":[{"name":"a","sha256":"ab"}]}"#, "/access/tokens/0/sha256: expected the"),
            (
                #"{"tokens":[{"name":"a","sha256":"@","expires":"2027-02-30T00:00:00Z"}]}"#,
                "/access/tokens/0/expires: expected a time"
            ),
            (
                #"{"tokens":[{"name":"a","sha256":"@","types":{"t":{"read":"a == $claims.b"}}}]}"#,
                "/access/tokens/0/types/t/read: expected a claim for $claims.b"
            ),
            (
                #"{"tokens":[{"name":"a","sha256":"@","types":{"t":{"read":"a == $other"}}}]}"#,
                "/access/tokens/0/types/t/read: expected $subject or $claims.NAME"
            ),
            (
                #"{"tokens":[{"name":"a","sha256":"@"},{"name":"b","sha256":"@"}]}"#,
                "/access/tokens/1/sha256: expected another token"
            ),
        ])
    func faultsNameTheirPlace(text: String, fault: String) throws {
        let (_, faults) = try read(text)
        #expect(faults.count == 1 && faults.first?.hasPrefix(fault) == true, "\(faults)")
    }

    @Test func aNamedTypeTakesNothingOfTheOthersAndAbsentIsForbidden() throws {
        let (settings, faults) = try read(
            #"""
            {"anonymous":{"*":{"read":true,"write":true},"a":{"read":true},"b":{"level":"none",
             "read":true,"write":true},"c":{"read":"false","write":"true"}}}
            """#)
        #expect(faults == [])
        let rights = try #require(settings).anonymous
        func of(_ name: String) throws -> AccessRights.OfType {
            rights.of(try #require(TypeName(name)))
        }
        #expect(try of("z").read == .all && of("z").write == .all && of("z").level == .remote)
        #expect(try of("a").read == .all && of("a").write == .none)
        #expect(try of("b").read == .none && of("b").write == .none)
        #expect(try of("c").read == .none && of("c").write == .all)
        #expect(!rights.isAdmin && !rights.isEmpty)
    }

    @Test func valuesStandForWhatTheTokenClaims() throws {
        let claims = try JSONValue.parse(
            Array(#"{"team":"a\" or true or \"","list":[1,"x"],"in":{"n":1.50}}"#.utf8))
        let values = RuleValues(subject: "o'neil", claims: claims)
        func insert(_ rule: String) throws -> String { try values.insert(into: rule) }
        #expect(
            try insert("team == $claims.team") == #"team == "a\" or true or \"""#,
            "a value stays a value")
        #expect(try insert("a in $claims.list") == #"a in [1,"x"]"#)
        #expect(try insert("a == $claims.in.n and b==$subject") == #"a == 1.50 and b=="o'neil""#)
        #expect(
            try insert(#"a == "$subject" and b ~= 'x\'$' and `$c` == 1"#)
                == #"a == "$subject" and b ~= 'x\'$' and `$c` == 1"#)
        #expect(throws: RuleValues.Fault.self) { try insert("a == $claims.in") }
        #expect(throws: RuleValues.Fault.self) { try insert("a == $claims") }
    }

    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2000-02-29T12:00:00.25z", 951_825_600_250),
            ("2027-01-01T01:00:00+01:00", 1_798_761_600_000),
            ("1969-12-31T23:59:59-00:00", -1000), ("2027-13-01T00:00:00Z", nil),
            ("2027-01-01", nil), ("2027-01-01T00:00:00", nil), ("2027-01-01T00:00:00Zx", nil),
            ("2027-01-01T24:00:00Z", nil), ("2027-01-01T00:00:00.Z", nil),
        ] as [(String, Int64?)])
    func timesAreThoseOfRFC3339(text: String, milliseconds: Int64?) {
        #expect(WallTime(rfc3339: text)?.milliseconds == milliseconds)
    }

    @Test func nobodyIsLetInFromOutsideWithoutAccessOrOpen() throws {
        func faults(_ access: AccessSettings?, isOpen: Bool) -> Int {
            let flags = ["listen": ["0.0.0.0:0"], "open": [isOpen ? "true" : "false"]]
            let source = ConfigurationSource(flags: flags, environment: [:], path: nil)
            return source.resolve().faults.count
        }
        #expect(faults(nil, isOpen: false) == 1)
        #expect(faults(nil, isOpen: true) == 0)
        let file = try TemporaryFile(#"{"listen":"0.0.0.0:0","access":{}}"#)
        let source = ConfigurationSource(flags: [:], environment: [:], path: file.path)
        #expect(source.resolve().faults.isEmpty)
        #expect(source.resolve().settings.access?.anonymous.isEmpty == true)
    }
}
