import FreshetRefresh
import FreshetCore
import FreshetHTTPClient
import FreshetJSON
import FreshetQuery
import FreshetRemote
import FreshetTestSupport
import Testing

@testable import FreshetConfig

@Suite("Upstreams and remotes of the configuration")
struct UpstreamFormTests {
    private func read(
        _ text: String, environment: [String: String] = [:]
    ) -> (file: ConfigurationFile, faults: [String]) {
        var faults: [ConfigurationFault] = []
        let file = ConfigurationFile.read(
            Array(text.utf8), path: "f", environment: environment, faults: &faults)
        return (file, faults.map { String($0.description.dropFirst(3)) })
    }

    @Test("Everything that an upstream may say arrives, secrets as secrets")
    func upstream() throws {
        let secret = try TemporaryFile("from the file\n")
        let (file, faults) = read(
            """
            {"upstreams":{"api":{"base":"https://api.example.test/v2/","timeout":"1500ms",
             "headers":{"X-Key":{"env":"API_KEY"},"X-Token":{"file":"\(secret.path)"},"X-Plain":"a b"},
             "maxConcurrent":4,"maxWaiting":0,"maxBody":"1MiB",
             "retry":{"limit":3,"backoff":{"exponential":"2s","max":"1m","jitter":false}},
             "fallback":["timeout",418],
             "probe":{"path":"/healthz","every":"5s","timeout":"1s","rise":1,"fall":2,
                      "expect":[200,204]}}}}
            """, environment: ["API_KEY": "k"])
        #expect(faults == [])
        let settings = try #require(file.upstreams.first?.settings)
        #expect(settings.base.description == "https://api.example.test/v2")
        #expect(settings.timeout == .milliseconds(1500))
        #expect(settings.headers.map(\.name) == ["X-Key", "X-Token", "X-Plain"])
        #expect(settings.headers.map { $0.value.reveal() } == ["k", "from the file", "a b"])
        #expect("\(settings)".contains("from the file") == false)
        #expect(settings.maxConcurrent == 4 && settings.maxWaiting == 0)
        #expect(settings.maxBody == 1 << 20)
        #expect(
            settings.retry
                == RetryPolicy(
                    limit: 3, base: .seconds(2), longest: .seconds(60), hasJitter: false))
        #expect(
            settings.fallback
                == FallbackErrors(unreachable: false, timeout: true, statuses: [418]))
        #expect(settings.probe?.expect == [200, 204])
        #expect(settings.probe?.every == .seconds(5))
    }

    @Test("How an upstream is reached holds for its token endpoint, too, but for such addresses")
    func route() throws {
        let pem = try TemporaryFile("-----BEGIN CERTIFICATE-----\n")
        let (file, faults) = read(
            """
            {"upstreams":{"api":{"base":"https://api.example.test","connectTimeout":"1500ms",
             "denyPrivate":true,"allowLinkLocal":true,
             "tls":{"roots":"\(pem.path)","certificate":"\(pem.path)","key":"\(pem.path)"},
             "credential":{"type":"oauth2","tokenURL":"https://id.example.test/token",
                           "grant":"client_credentials","clientId":"c"}},
             "far":{"base":"http://b.test","proxy":"HTTP://Proxy.test:3128/"},"plain":{"base":"http://a"}}}
            """)
        #expect(faults == [])
        var route = HTTPRoute()
        #expect(file.upstreams.last?.settings.route == route)
        route.proxy = "http://proxy.test:3128"
        #expect(file.upstreams.dropFirst().first?.settings.route == route)
        route.proxy = nil
        route.connectMilliseconds = 1500
        (route.roots, route.certificate, route.key) = (pem.path, pem.path, pem.path)
        route.refused.insert(.privateUse)
        #expect(file.upstreams.first?.credential?.route == route)
        route.refused = .privateUse
        #expect(file.upstreams.first?.settings.route == route)
    }

    @Test(
        "What is configured of repeats holds for the outbox, too, whatever it is",
        arguments: [
            (#""retry":{"limit":2}"#, 2, 2, 1), (#""retry":{"limit":0}"#, 0, 0, 1),
            (#""retry":{"backoff":{"exponential":"3s"}}"#, 2, 8, 3), (#""retry":{}"#, 2, 8, 1),
            (#""timeout":"1s""#, 2, nil, 1),
        ] as [(String, Int, Int?, Int)])
    func repeats(member: String, reads: Int, outbox: Int?, seconds: Int) throws {
        let (file, faults) = read(#"{"upstreams":{"api":{"base":"http://a.test",\#(member)}}}"#)
        #expect(faults == [])
        let settings = try #require(file.upstreams.first?.settings)
        #expect(settings.retry.limit == reads && settings.outboxRetry?.limit == outbox)
        #expect(settings.retry.base == .seconds(seconds))
        #expect((settings.outboxRetry ?? settings.retry).base == .seconds(seconds))
    }

    @Test("A credential belongs to its upstream")
    func credential() throws {
        let (file, faults) = read(
            #"{"upstreams":{"api":{"base":"http://a.test","credential":{"type":"oauth2","#
                + #""tokenURL":"http://a.test/token","clientId":"c","grant":"client_credentials"}}}}"#
        )
        #expect(faults == [])
        #expect(file.upstreams.first?.credential != nil)
    }

    @Test("The contract's own example of a remote is read")
    func remote() throws {
        let (file, faults) = read(
            """
            {"upstreams":{"api":{"base":"http://a.test"}},
             "types":{"todo":{"remote":{
              "upstream":"api","get":{"path":"/todos/{id}"},
              "search":{"path":"/todos","items":"/data",
                "query":{"status":"{filter.status}","page":"{page}","per_page":"{limit}","v":2}},
              "create":{"method":"POST","path":"/todos"},
              "update":{"method":"PUT","path":"/todos/{id}"},
              "remove":{"method":"DELETE","path":"/todos/{id}"},
              "rejected":"revert","id":"/id","rename":{"userId":"author"},
              "extract":{"author":{"type":"person","at":"/author"}},
              "endpoints":{"popular":{"path":"/todos/popular","query":{"since":"{since}"},
                "items":"/items"},"archive":{"method":"POST","path":"/todos/{id}/archive"}}}}}}
            """)
        #expect(faults == [])
        let mapping = try #require(file.remotes.first)
        #expect(mapping.type.text == "todo" && mapping.upstream == "api")
        #expect(mapping.search?.items.description == "/data")
        #expect(mapping.search?.request.placeholders == ["filter.status", "page", "limit"])
        #expect(mapping.rejected == .revert)
        #expect(mapping.rename == [.init(remote: "userId", local: "author")])
        #expect(mapping.extract.first?.member == "author")
        #expect(mapping.endpoints["popular"]?.request.placeholders == ["since"])
        #expect(mapping.endpoints["archive"] == nil)
        #expect(mapping.writeEndpoints["archive"]?.method == "POST")
        #expect(mapping.writeEndpoints["archive"]?.request.required == ["id"])
        #expect(mapping.update?.method == "PUT" && mapping.create?.sendsID == true)
        #expect(file.types.map(\.name) == ["todo"])
    }

    @Test("Each fault of an upstream names its pointer", arguments: UpstreamFaultCase.upstreams)
    func upstreamFaults(_ item: UpstreamFaultCase) {
        let (_, faults) = read(#"{"upstreams":{"api":"# + item.text + "}}")
        #expect(faults.count == 1, "\(faults)")
        #expect(faults.first?.hasPrefix("/upstreams/api" + item.fault) == true, "\(faults)")
    }

    @Test("Each fault of a remote names its pointer", arguments: UpstreamFaultCase.remotes)
    func remoteFaults(_ item: UpstreamFaultCase) {
        let (_, faults) = read(
            #"{"upstreams":{"api":{"base":"http://a.test"}},"types":{"t":{"remote":"#
                + item.text + "}}}")
        #expect(faults.count == 1, "\(faults)")
        #expect(faults.first?.hasPrefix("/types/t/remote" + item.fault) == true, "\(faults)")
    }
}

struct UpstreamFaultCase: Sendable, CustomTestStringConvertible {
    let text: String
    let fault: String

    var testDescription: String { text }

    static let upstreams: [UpstreamFaultCase] = [
        .init(text: "[]", fault: ": expected an object"),
        .init(text: "{}", fault: "/base: expected an address such as"),
        .init(text: #"{"base":"a.test"}"#, fault: "/base: expected an address such as"),
        .init(text: #"{"base":"file:///etc"}"#, fault: "/base: expected an address"),
        .init(
            text: #"{"base":"http://u:p@a.test"}"#,
            fault: "/base: expected an address without a user"),
        .init(text: #"{"base":"http://169.254.169.254"}"#, fault: "/base: expected no link-local"),
        .init(
            text: #"{"base":"http://a","proxy":"socks5://p:1080"}"#,
            fault: "/proxy: expected the address of a proxy"),
        .init(
            text: #"{"base":"http://a","proxy":"http://u:p@p"}"#,
            fault: "/proxy: expected the address of a proxy"),
        .init(
            text: #"{"base":"http://a","proxy":"http://p","denyPrivate":true}"#,
            fault: "/denyPrivate: expected no \"denyPrivate\" beside \"proxy\""),
        .init(
            text: #"{"base":"http://a","tls":{"roots":"/nowhere/at/all"}}"#,
            fault: "/tls/roots: expected a file that can be read"),
        .init(
            text: #"{"base":"http://a","tls":{"roots":"/etc/passwd"}}"#,
            fault: "/tls/roots: expected a file in PEM"),
        .init(
            text: #"{"base":"http://a","tls":{"root":"/etc/passwd"}}"#,
            fault: "/tls/root: unknown member; did you mean \"roots\"?"),
        .init(text: #"{"base":"http://a","timeout":10}"#, fault: "/timeout: expected a time"),
        .init(text: #"{"base":"http://a","timeout":"0s"}"#, fault: "/timeout: expected a time"),
        .init(text: #"{"base":"http://a","maxBody":"0"}"#, fault: "/maxBody: expected a size"),
        .init(
            text: #"{"base":"http://a","maxConcurrent":0}"#,
            fault: "/maxConcurrent: expected an integer from 1 to 1000"),
        .init(
            text: #"{"base":"http://a","timeot":"1s"}"#,
            fault: "/timeot: unknown member; did you mean \"timeout\"?"),
        .init(
            text: #"{"base":"http://a","headers":{"X-Api-Key":"abc"}}"#,
            fault: "/headers/X-Api-Key: expected {\"env\""),
        .init(
            text: #"{"base":"http://a","headers":{"X-K":{"env":"NOT_SET"}}}"#,
            fault: "/headers/X-K/env: expected a variable that is set; NOT_SET is not"),
        .init(
            text: #"{"base":"http://a","headers":{"X-K":{"env":"s3cr3t"}}}"#,
            fault: "/headers/X-K/env: expected a variable that is set"),
        .init(
            text: #"{"base":"http://a","headers":{"X-K":{"file":"/nowhere/at/all"}}}"#,
            fault: "/headers/X-K/file: expected a file"),
        .init(
            text: #"{"base":"http://a","headers":{"Host":"b"}}"#,
            fault: "/headers/Host: expected the name of a header field"),
        .init(
            text: #"{"base":"http://a","headers":{"X A":"b"}}"#,
            fault: "/headers/X A: expected the name of a header field"),
        .init(
            text: #"{"base":"http://a","headers":{"X-A":"b\r\nX-B: c"}}"#,
            fault: "/headers/X-A: expected a header field's value"),
        .init(
            text: #"{"base":"http://a","retry":{"limit":-1}}"#,
            fault: "/retry/limit: expected an integer"),
        .init(
            text: #"{"base":"http://a","retry":{"backoff":{"expontial":"1s"}}}"#,
            fault: "/retry/backoff/expontial: unknown member"),
        .init(
            text: #"{"base":"http://a","fallback":["refused"]}"#,
            fault: "/fallback/0: expected \"unreachable\""),
        .init(
            text: #"{"base":"http://a","probe":{"every":"1s"}}"#, fault: "/probe/path: expected"),
        .init(
            text: #"{"base":"http://a","probe":{"path":"/{id}"}}"#, fault: "/probe/path: expected"),
        .init(
            text: #"{"base":"http://a","probe":{"path":"/","expect":[20]}}"#,
            fault: "/probe/expect/0: expected a list of statuses"),
        .init(
            text: #"{"base":"http://a","credential":5}"#,
            fault: "/credential: expected an object"),
    ]

    static let remotes: [UpstreamFaultCase] = [
        .init(text: "5", fault: ": expected an object"),
        .init(text: "{}", fault: "/upstream: expected one of \"api\""),
        .init(text: #"{"upstream":"b"}"#, fault: "/upstream: expected one of \"api\""),
        .init(text: #"{"upstream":"api","get":{}}"#, fault: "/get/path: expected a path such as"),
        .init(
            text: #"{"upstream":"api","get":{"path":"/a/../{id}"}}"#,
            fault: "/get/path: expected a path such as"),
        .init(
            text: #"{"upstream":"api","get":{"path":"/a"}}"#,
            fault: "/get/path: expected a request with {id}"),
        .init(
            text: #"{"upstream":"api","get":{"path":"/a/{id}/{x}"}}"#,
            fault: "/get/path: expected {id}, not {x}"),
        .init(
            text: #"{"upstream":"api","get":{"path":"/{id}","item":"a"}}"#,
            fault: "/get/item: expected a JSON pointer"),
        .init(
            text: #"{"upstream":"api","get":{"method":"POST","path":"/{id}"}}"#,
            fault: "/get/method: expected \"GET\""),
        .init(
            text: #"{"upstream":"api","search":{"path":"/a","query":{"q":"{since}"}}}"#,
            fault: "/search/query/q: expected {filter.NAME}"),
        .init(
            text: #"{"upstream":"api","search":{"path":"/a","query":{"q":"{page"}}}"#,
            fault: "/search/query/q: expected a text such as"),
        .init(
            text: #"{"upstream":"api","search":{"path":"/a","query":{"q":null}}}"#,
            fault: "/search/query/q: expected a text such as"),
        .init(
            text: #"{"upstream":"api","search":{"path":"/a","itms":"/a"}}"#,
            fault: "/search/itms: unknown member; did you mean \"items\"?"),
        .init(
            text: #"{"upstream":"api","update":{"method":"GET","path":"/{id}"}}"#,
            fault: "/update/method: expected one of \"PUT\", \"PATCH\", \"POST\""),
        .init(
            text: #"{"upstream":"api","endpoints":{"a b":{"path":"/a"}}}"#,
            fault: "/endpoints/a b: expected a name"),
        .init(
            text: #"{"upstream":"api","endpoints":{"a":{"path":"/a","method":"GET"}}}"#,
            fault: #"/endpoints/a/method: expected one of "POST", "PUT""#),
        .init(
            text: #"{"upstream":"api","endpoints":{"a":{"path":"/{b.c}","method":"PUT"}}}"#,
            fault: "/endpoints/a/path: expected {id}, or a parameter without dots"),
        .init(
            text: #"{"upstream":"api","endpoints":{"a":{"path":"/","method":"PUT","items":""}}}"#,
            fault: "/endpoints/a/items: unknown member"),
        .init(
            text: #"{"upstream":"api","endpoints":{"a":{"path":"/a","query":{"q":"{a.b}"}}}}"#,
            fault: "/endpoints/a/query/q: expected {filter.NAME}"),
        .init(text: #"{"upstream":"api","id":""}"#, fault: "/id: expected a JSON pointer"),
        .init(text: #"{"upstream":"api","rename":{"a":"id"}}"#, fault: "/rename/a: expected"),
        .init(text: #"{"upstream":"api","rename":{"id":"b"}}"#, fault: "/rename/id: expected"),
        .init(
            text: #"{"upstream":"api","rename":{"a":"c","b":"c"}}"#, fault: "/rename/b: expected"),
        .init(
            text: #"{"upstream":"api","extract":{"a":{"at":"/a"}}}"#,
            fault: "/extract/a/type: expected"),
        .init(
            text: #"{"upstream":"api","extract":{"a":{"type":"p","at":"/id"}}}"#,
            fault: "/extract/a/at: expected"),
        .init(
            text: #"{"upstream":"api","rejected":"drop"}"#,
            fault: "/rejected: expected one of \"keep\", \"revert\""),
        .init(text: #"{"upstream":"api","cache":1}"#, fault: "/cache: unknown member"),
    ]
}
