import Dispatch
import FreshetBase
import FreshetConfig
import FreshetHTTPClient
import FreshetJSON
import FreshetQuery
import FreshetRemote
import FreshetServer

/// Fetches a second through a source, beside what the outgoing client does alone with the same
/// requests and callers, a callback each, against a server in this process.
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

        let client = try HTTPClient(label: "bench")
        defer { client.stop() }
        var bare = 0.0
        var ours = 0.0
        for _ in 0..<rounds {
            bare = max(bare, PlainFetches(client, "\(base)/v1/fetched/").rate())
            ours = max(
                ours,
                rate {
                    let id = EntityID(Int64($0))
                    keep(try await source.get(id, conditions: nil, call: RemoteCall()))
                })
        }
        report("remote fetches by the client alone", bare, "/s")
        report("remote fetches by a source", ours, "/s")
        report("remote fetches, source to client", ours / bare, "times")
    } catch {
        print("remote: \(error)")
    }
}

private let callers = 64
private let fetches = 20_000
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

/// Fetches by callbacks alone: each answer's end begins the next call.
// SAFETY: all mutable state belongs to the client's thread, but before `rate` and behind `done`.
private final class PlainFetches: @unchecked Sendable {
    private let client: HTTPClient
    private let address: String
    private var begun = callers
    private var ended = 0
    private let done = DispatchSemaphore(value: 0)

    init(_ client: HTTPClient, _ address: String) {
        self.client = client
        self.address = address
    }

    /// Fetches a second, as many at a time as there are callers.
    func rate() -> Double {
        let start = MonotonicInstant.now
        for number in 0..<callers { fetch(number) }
        done.wait()
        return Double(fetches) / ((MonotonicInstant.now - start) / .seconds(1))
    }

    private func fetch(_ number: Int) {
        _ = client.submit(HTTPCall(url: address + String(number)), Receiver(self))
    }

    fileprivate func hasEnded() {
        ended += 1
        if ended == fetches { done.signal() }
        guard begun < fetches else { return }
        begun += 1
        fetch(begun - 1)
    }

    private final class Receiver: HTTPReceiver {
        private let fetches: PlainFetches

        init(_ fetches: PlainFetches) {
            self.fetches = fetches
        }

        func head(_ head: HTTPHead) {}

        func body(_ bytes: UnsafeRawBufferPointer) -> Bool {
            keep(bytes.count)
            return true
        }

        func finish(_ fault: HTTPFault?) {
            if let fault { print("remote: \(fault)") }
            fetches.hasEnded()
        }
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
