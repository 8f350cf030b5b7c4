import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetJSON
import FreshetQuery
import FreshetRemote
import FreshetServer
import FreshetStore
import Glibc

/// What read contexts cost where what is here suffices, and what a refresh does that brings nothing
/// new: a server in this process whose remote is another one.
func benchmarkSources(_ samples: Samples) {
    do {
        let log = Log(level: .error)
        let origin = try FreshetServer(.standard, log: log)
        defer { origin.stop() }
        let front = try FreshetServer(.standard, log: log)
        defer { front.stop() }
        guard let base = UpstreamBase(origin.url), let there = RawClient(origin.url),
            let here = RawClient(front.url), let few = mapping("few"), let many = mapping("row")
        else { return print("sources: no connection") }
        let catalog = RemoteCatalog(
            [UpstreamSettings(name: "origin", base: base)], [few, many], maximumEntity: 1 << 20,
            userAgent: "freshet-bench", log: log)
        there.set(rows: 100, of: "few")
        there.set(rows: rowCount, of: "row")
        front.core.operations.remotes.replace(catalog.sources)
        here.ask("/v1/few?source=remote", count: 1)
        here.ask("/v1/few/7?source=remote", count: 1)
        here.ask("/v1/row?source=remote&limit=1", count: 1)

        for (name, target) in [("get", "/v1/few/7?"), ("search", "/v1/few?limit=20&")] {
            var best: [String: Double] = [:]
            for _ in 0..<rounds {
                for context in ["local", "localOrRemote", "localThenRemote"] {
                    best[context] = max(
                        best[context] ?? 0, here.rate(target + "source=\(context)"))
                }
            }
            let local = best["local"] ?? 1
            report("\(name), source=local", local, "/s")
            for context in ["localOrRemote", "localThenRemote"] {
                report("\(name), \(context) to local", (best[context] ?? 0) / local, "times")
            }
        }
        guard let source = catalog.sources[many.type] else { return }
        measureRefresh(front, of: source, by: here)
    } catch {
        print("sources: \(error)")
    }
}

private let rowCount = 10_000

/// Entities of `name` as another server has them.
private func mapping(_ name: String) -> RemoteMapping? {
    guard let type = TypeName(name), let get = RequestTemplate(path: "/v1/\(name)/{id}"),
        let search = RequestTemplate(
            path: "/v1/\(name)", query: [(name: "limit", value: "\(rowCount)")])
    else { return nil }
    var mapping = RemoteMapping(type: type, upstream: "origin")
    mapping.get = .init(method: "GET", request: get)
    mapping.search = .init(request: search)
    mapping.search?.items = JSONPointer(tokens: ["items"])
    return mapping
}

private let rounds = 5
private let requests = 4_000
private let pipelined = 16

/// A refresh of what has not changed, beside a live query; and equal reads at the same time.
private func measureRefresh(_ front: FreshetServer, of source: RESTSource, by here: RawClient) {
    guard let stream = RawClient(front.url) else { return }
    stream.write(
        "GET /v1/row?source=local&live=delta&limit=1000 HTTP/1.0\r\nHost: localhost\r\n\r\n")
    stream.read(until: "\"more\":false")
    while front.core.operations.inFlight > 0 { sched_yield() }
    let before = front.store.seq
    here.ask("/v1/row?source=remote&limit=1", count: 1)
    report("refresh of 10,000 unchanged, commits", Double(front.store.seq - before), "each")
    // What the stream is told first is what is written now.
    here.write(
        "PUT /v1/row/1 HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Content-Length: 14\r\n\r\n{\"marked\":123}")
    here.read(until: "\r\n\r\n")
    let told = stream.read(until: "\"commits\":")
    report(
        "refresh of 10,000 unchanged, events",
        Double(told.components(of: "event: ") - 1), "each")

    let clients = (0..<100).compactMap { _ in RawClient(front.url) }
    let sent = source.upstream.counters.exchanges.value
    for client in clients { client.send("/v1/row?source=remote&limit=1", count: 1) }
    for client in clients { client.read(until: "\r\n\r\n") }
    report(
        "100 identical remote reads, upstream requests",
        Double(source.upstream.counters.exchanges.value - sent), "each")
}

/// A blocking connection that sends several requests before it reads their answers.
private final class RawClient {
    private let descriptor: CInt
    private var buffer = [UInt8](repeating: 0, count: 256 * 1024)
    private static let mark = Array("HTTP/1.1 ".utf8)

    /// - Parameter url: `http://127.0.0.1:PORT`.
    init?(_ url: String) {
        guard let port = url.split(separator: ":").last.flatMap({ UInt16($0) }) else { return nil }
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { return nil }
    }

    deinit { close(descriptor) }

    func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    func send(_ target: String, count: Int) {
        let request = "GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n"
        write(String(repeating: request, count: count))
    }

    /// Sends the same request some times, and waits for the heads of all answers. A body has no line
    /// that is empty, and what is left of the last one is passed over with the next answer.
    func ask(_ target: String, count: Int) {
        send(target, count: count)
        var left = count
        var tail: [UInt8] = []
        while left > 0 {
            let received = receive()
            guard received > 0 else { return }
            tail += buffer[..<received]
            left -= tail.components(of: Self.mark)
            tail = Array(tail.suffix(Self.mark.count - 1))
        }
    }

    /// Answers a second.
    func rate(_ target: String) -> Double {
        let start = MonotonicInstant.now
        for _ in 0..<requests / pipelined { ask(target, count: pipelined) }
        return Double(requests) / ((MonotonicInstant.now - start) / .seconds(1))
    }

    /// Everything through `mark`, and what came with it.
    @discardableResult
    func read(until mark: String) -> String {
        var text = ""
        while text.components(of: mark) == 0 {
            let received = receive()
            guard received > 0 else { return text }
            text += String(decoding: buffer[..<received], as: UTF8.self)
        }
        return text
    }

    /// Writes entities 1 to `rows` with one request.
    func set(rows: Int, of type: String) {
        let body = (1...rows).map { number in
            "{\"id\":\(number),\"title\":\"row number \(number)\",\"status\":\"open\","
                + "\"points\":\(number % 97)}"
        }.joined(separator: ",")
        write(
            "POST /v1/\(type)/_set HTTP/1.1\r\nHost: localhost\r\nPrefer: return=minimal\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count + 2)\r\n\r\n"
                + "[\(body)]")
        read(until: "\r\n\r\n")
    }

    private func receive() -> Int { recv(descriptor, &buffer, buffer.count, 0) }
}

extension Collection<UInt8> {
    /// How often `part` stands in it.
    fileprivate func components(of part: [UInt8]) -> Int {
        var count = 0
        var index = startIndex
        while let start = self[index...].firstIndex(of: part[0]) {
            if self[start...].starts(with: part) { count += 1 }
            index = self.index(after: start)
        }
        return count
    }
}

extension String {
    fileprivate func components(of part: String) -> Int {
        Array(utf8).components(of: Array(part.utf8))
    }
}
