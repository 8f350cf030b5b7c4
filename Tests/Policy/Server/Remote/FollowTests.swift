import Dispatch
import Foundation
import FreshetConfig
import FreshetCore
import FreshetJSON
import FreshetRefresh
import FreshetQuery
import FreshetRemote
import FreshetStore
import FreshetTestSupport
import Testing

@testable import FreshetServer

/// An origin and an edge that follows it, each with a directory of its own, restarted at will.
private final class Chain {
    let directory = FileManager.default.temporaryDirectory.path + "/freshet-\(UUID().uuidString)"
    let path: String
    let mode: FollowedQuery.Mode
    private(set) var origin: TestServer?
    private(set) var edge: TestServer?
    private var originPort: UInt16 = 0
    private var generation = 0

    /// - Parameter path: The query that is followed, and watched at the edge.
    init(_ path: String, _ mode: FollowedQuery.Mode) throws {
        self.path = path
        self.mode = mode
        try startOrigin()
        try startEdge()
    }

    deinit {
        edge = nil
        origin = nil
        try? FileManager.default.removeItem(atPath: directory)
    }

    func startOrigin() throws {
        origin = nil
        let place = "\(directory)/origin\(generation)"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        let port = originPort
        origin = try TestServer {
            $0.storage = .directory(place)
            $0.durability = .relaxed
            $0.port = port
        }
        originPort = origin?.port ?? 0
    }

    /// Other data at the same address.
    func resetOrigin() throws {
        generation += 1
        try startOrigin()
    }

    func startEdge() throws {
        edge = nil
        let place = "\(directory)/edge"
        let base = try #require(UpstreamBase("http://127.0.0.1:\(originPort)"))
        var parser = QueryParser(type: try #require(TypeName("todo")))
        for pair in path.split(separator: "?").dropFirst().first?.split(separator: "&") ?? [] {
            let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
            try parser.take(name: parts[0], value: parts[1].removingPercentEncoding ?? "")
        }
        let query = try parser.finish()
        var source = FollowedQuery(upstream: "origin", query: path)
        source.mode = mode
        var settings = ControllerSettings(.freshet(source))
        settings.attachment = .always
        edge = try TestServer {
            $0.storage = .directory(place)
            $0.durability = .relaxed
            $0.upstreams = [UpstreamSettings(name: "origin", base: base)]
            $0.controlled = [ControlledDefinition("todos", query, [settings])]
        }
    }

    func write(_ method: String, _ id: Int, _ body: String? = nil) throws {
        let answer = try #require(origin).send(method, "/v1/todo/\(id)", body)
        #expect(answer.status < 300 || answer.status == 404, "\(answer.body)")
    }

    func rows(of server: TestServer?) throws -> [String] {
        let body = try #require(server).send("GET", path).body
        return try #require(try JSONValue.parse(body)["items"]?.arrayValue).map {
            String(decoding: $0.bytes, as: UTF8.self)
        }
    }

    /// Waits until the edge's live query shows exactly what the origin answers.
    func agree() throws {
        let stream = try TestStream(
            try #require(edge), path + (path.contains("?") ? "&" : "?") + "live=delta")
        let wanted = try rows(of: origin)
        while try rows(of: edge) != wanted {
            // Whatever the edge still lacks comes as a commit, and a commit as an event.
            do { _ = try stream.next() } catch TestConnection.Failure.ended(let received)
                where received.isEmpty
            {
                Issue.record("the edge has \(try rows(of: edge)), the origin \(wanted)")
                return
            }
        }
    }
}

@Suite("Following another server's live query")
struct FollowTests {
    @Test(
        "What is written at the origin is in the edge's live query",
        arguments: [
            FollowedQuery.Mode.delta, .snapshot,
        ])
    func writes(mode: FollowedQuery.Mode) async throws {
        try await offPool {
            let chain = try Chain("/v1/todo?filter=done%20%3D%3D%20false&order=-n", mode)
            try chain.write("PUT", 1, #"{"done":false,"n":1}"#)
            try chain.write("PUT", 2, #"{"done":true,"n":2}"#)
            try chain.write("PUT", 3, #"{"done":false,"n":3}"#)
            try chain.agree()
            #expect(try chain.rows(of: chain.edge).count == 2)
            // Out of the filter, and gone.
            try chain.write("PUT", 1, #"{"done":true,"n":1}"#)
            try chain.write("DELETE", 3)
            try chain.agree()
            #expect(try chain.rows(of: chain.edge).isEmpty)
            let report = chain.edge?.server.controllers.reports(of: "todos").first
            #expect(report?.kind == "freshet")
            #expect(report?.state == .running)
            #expect(report?.activity == "following")
        }
    }

    @Test("A controller that paused begins anew from where the store says, as often as it may be")
    func pauses() async throws {
        try await offPool {
            let chain = try Chain("/v1/todo?filter=done%20%3D%3D%20false&order=-n", .delta)
            try chain.write("PUT", 1, #"{"done":false,"n":1}"#)
            try chain.agree()
            let controllers = try #require(chain.edge?.server.controllers)
            for round in 2...4 {
                controllers.pause()
                #expect(controllers.reports(of: "todos").map(\.state) == [.idle])
                try chain.write("PUT", round, #"{"done":false,"n":\#(round)}"#)
                try chain.write("DELETE", round - 1)
                controllers.begin()
                try chain.agree()
                #expect(try chain.rows(of: chain.edge).count == 1)
            }
            #expect(controllers.reports(of: "todos").map(\.counts.starts) == [4])
        }
    }

    @Test("A window that is full is followed exactly: what it lets go of is not kept")
    func window() async throws {
        try await offPool {
            let chain = try Chain("/v1/todo?order=-n&limit=3", .delta)
            for id in 1...5 { try chain.write("PUT", id, "{\"n\":\(id)}") }
            try chain.agree()
            #expect(try chain.edge?.send("GET", "/v1/todo").body.contains(#""id":"1""#) == false)
            try chain.write("PUT", 1, #"{"n":10}"#)
            try chain.agree()
            try chain.write("DELETE", 1)
            try chain.write("DELETE", 5)
            try chain.agree()
        }
    }

    @Test(
        "Exact through restarts of both and through a reset of the origin, with the seed shown",
        arguments: ["/v1/todo", "/v1/todo?filter=n%20%3E%2050", "/v1/todo?order=-n&limit=5"])
    func random(path: String) async throws {
        let seed = TestSeed.first
        print("seed \(seed) of \(path)")
        try await offPool {
            var random = Numbers(seed)
            let chain = try Chain(path, random.next(4) == 0 ? .snapshot : .delta)
            for round in 0..<4 {
                for _ in 0..<random.next(40) {
                    let id = random.next(20)
                    if random.next(3) == 0 {
                        try chain.write("DELETE", id)
                    } else {
                        try chain.write("PUT", id, "{\"n\":\(random.next(100)),\"r\":\(round)}")
                    }
                    if random.next(10) == 0 { try chain.agree() }
                }
                switch random.next(4) {
                case 0: try chain.startOrigin()
                case 1: try chain.startEdge()
                case 2: try chain.resetOrigin()
                default:
                    // Both are away at once, and the origin goes on alone for a while.
                    try chain.startOrigin()
                    for id in 0..<5 { try chain.write("PUT", id, "{\"n\":\(random.next(100))}") }
                    try chain.startEdge()
                }
            }
            try chain.agree()
        }
    }
}

/// Numbers that follow from a seed (SplitMix64).
private struct Numbers {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return Int((value ^ value >> 31) % UInt64(bound))
    }
}
