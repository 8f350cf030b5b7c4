import Dispatch
import Foundation
import FoundationNetworking
import FreshetBase
import FreshetJSON
import FreshetQuery
import FreshetRemote
import FreshetServer

/// Fetches a second through a source, beside what Foundation's URLSession does alone with the same
/// requests, connections and callers, against a server in this process.
func benchmarkRemote(_ samples: Samples) {
    do {
        let log = Log(level: .error)
        let server = try FreshetServer(.standard, log: log)
        defer { server.stop() }
        guard let base = UpstreamBase(server.url), let type = TypeName("fetched"),
            let path = RequestTemplate(path: "/v1/fetched/{id}")
        else { return }
        var settings = UpstreamSettings(name: "self", base: base)
        settings.maxConcurrent = callers
        var mapping = RemoteMapping(type: type, upstream: "self")
        mapping.get = .init(method: "GET", request: path)
        mapping.update = .init(method: "PUT", request: path)
        let catalog = RemoteCatalog(
            [settings], [mapping], maximumEntity: 1 << 20, userAgent: "freshet-bench", log: log)
        guard let source = catalog.sources[type] else { return }
        wait { try await fill(source) }

        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = callers
        let session = URLSession(configuration: configuration)
        defer { session.invalidateAndCancel() }
        var bare = 0.0
        var ours = 0.0
        for _ in 0..<rounds {
            bare = max(bare, rate { try await plainFetch(session, "\(base)/v1/fetched/\($0)") })
            ours = max(
                ours,
                rate {
                    let id = EntityID(Int64($0))
                    keep(try await source.get(id, conditions: nil, call: RemoteCall()))
                })
        }
        report("remote fetches by URLSession alone", bare, "/s")
        report("remote fetches by a source", ours, "/s")
        report("remote fetches, source to URLSession", ours / bare, "times")
    } catch {
        print("remote: \(error)")
    }
}

private let callers = 8
private let fetches = 2_000
private let rounds = 5

/// Fetches a second by eight callers at a time, each fetch another entity.
private func rate(_ fetch: @escaping @Sendable (Int) async throws -> Void) -> Double {
    let start = MonotonicInstant.now
    wait {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for caller in 0..<callers {
                group.addTask {
                    for number in stride(from: caller, to: fetches, by: callers) {
                        try await fetch(number)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
    return Double(fetches) / ((MonotonicInstant.now - start) / .seconds(1))
}

private func plainFetch(_ session: URLSession, _ address: String) async throws {
    guard let url = URL(string: address) else { return }
    try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        session.dataTask(with: url) { data, _, error in
            keep(data)
            if let error { continuation.resume(throwing: error) } else { continuation.resume() }
        }.resume()
    }
}

private func fill(_ source: RESTSource) async throws {
    var builder = DocumentBuilder()
    for number in 0..<fetches {
        let text =
            "{\"id\":\(number),\"title\":\"entity number \(number)\",\"status\":\"open\","
            + "\"points\":\(number % 97),\"body\":\"\(String(repeating: "text ", count: 40))\"}"
        let document = try Array(text.utf8).withUnsafeBytes {
            try builder.build(json: $0, id: .fromBody)
        }
        _ = try await source.write(
            RemoteWrite(.update(document.id, document)), call: RemoteCall())
    }
}

/// Runs `body` to its end; this thread is the program's own and may block.
private func wait(_ body: @escaping @Sendable () async throws -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        do {
            try await body()
        } catch {
            print("remote: \(error)")
        }
        done.signal()
    }
    done.wait()
}
