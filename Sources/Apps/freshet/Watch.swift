import FreshetBase
import FreshetHTTP
import FreshetJSON
import Glibc

/// `freshet watch TYPE [ID]`: a live query until the user ends it.
///
/// On a terminal the result is drawn anew with each change; elsewhere every event is one line
/// `{"event","id","data"}`. A lost connection is made again and resumes behind the last event, so
/// nothing is missed and nothing comes twice.
struct WatchCommand {
    /// Between tries to reach a server that is away.
    private static let longestPause = 30_000
    /// Servers say something at least once a minute; a longer silence is a lost connection.
    private static let patience = Duration.seconds(70)

    private let client: ServerClient
    private let path: String
    private let title: String
    private let draws: Bool
    private var lastID = ""
    /// Before the next connection; milliseconds.
    private var pause = 1_000
    private var state = LiveState()
    private var status = "connecting"
    /// Why the stream is over for good.
    private var ending: Ending?

    private enum Ending {
        case failed(String)
    }

    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        var command = try WatchCommand(arguments)
        try command.watch()
        return .done
    }

    private init(_ arguments: ParsedArguments) throws(CommandFailure) {
        let isOne = arguments.positionals.count == 2
        draws = Terminal.outputIsTerminal && !arguments.has("json")
        let query = SearchOptions.query(arguments) + ["live=delta"]
        path =
            "/v1/" + arguments.positionals.map(URLText.encoded).joined(separator: "/") + "?"
            + query.joined(separator: "&")
        title = arguments.positionals.joined(separator: "/")
        guard !isOne || query.allSatisfy({ !$0.hasPrefix("filter=") }) else {
            throw .usage("one entity has no --filter; leave out the ID or the filter")
        }
        client = try ServerConnection.client(arguments, patience: Self.patience)
    }

    private mutating func watch() throws(CommandFailure) {
        var tries = 0
        while true {
            do throws(CommandFailure) {
                try connect()
                tries = 0
            } catch {
                // Who has never been reached is told at once; later it is waited for.
                guard error.exit == .unreachable, tries > 0 || hasBegun else { throw error }
                tries += 1
                pause = min(Self.longestPause, max(1_000, pause) * 2)
                status = "server not reachable, next try in \(pause / 1000) s"
                try draw()
            }
            if case .failed(let sentence) = ending { throw .failed(sentence) }
            client.disconnect()
            // Spread, so that watchers that lost a server together do not come back together.
            usleep(useconds_t(Int.random(in: pause / 2...pause) * 1000))
        }
    }

    private var hasBegun: Bool { !lastID.isEmpty }

    /// One connection, until it ends.
    private mutating func connect() throws(CommandFailure) {
        var headers = [(name: "Accept", value: "text/event-stream")]
        if hasBegun { headers.append((name: "Last-Event-ID", value: lastID)) }
        try client.send("GET", path, headers: headers)
        var parser = EventStreamParser(lastID: lastID)
        var refusal: [UInt8] = []
        let head = try client.receive { head, bytes throws(CommandFailure) in
            guard head.status == 200 else {
                refusal += bytes
                return
            }
            var events: [EventStreamParser.Event] = []
            do {
                try parser.take(bytes) { events.append($0) }
            } catch {
                throw .failed("the server sent an event over 64 MiB")
            }
            for event in events { try take(event) }
            lastID = parser.lastID
            if let retry = parser.retry { pause = min(Self.longestPause, max(100, retry)) }
        }
        switch head.status {
        case 200: status = "reconnecting"
        case 204: ending = .failed("there is nothing to watch any more")
        case 429, 503:
            throw .unreachable(ServerConnection.sentence(status: head.status, body: refusal))
        default: throw .failed(ServerConnection.sentence(status: head.status, body: refusal))
        }
    }

    private mutating func take(_ event: EventStreamParser.Event) throws(CommandFailure) {
        if !draws { try write(event) }
        // What is no JSON is no event of this protocol; the line above shows it all the same.
        guard let data = try? JSONValue.parse(event.data) else { return }
        switch event.name {
        case "hello":
            status = "live"
        case "source":
            if let state = data["state"]?.stringValue { status = "live, \(state)" }
        case "fault":
            let sentence = data["detail"]?.stringValue ?? "the query failed"
            status = sentence
            if data["final"]?.boolValue == true { Terminal.complain(sentence) }
        case "bye":
            pause = Int(clamping: data["after"]?.int64Value ?? 1_000)
            let reason = data["reason"]?.stringValue ?? "no reason"
            status = "reconnecting (\(reason))"
            if data["reconnect"]?.boolValue == false {
                ending = .failed("the server ended the live query: \(reason)")
            }
        default:
            guard draws, state.apply(event.name, data) else { return }
        }
        try draw()
    }

    /// One line for a program that reads the output.
    private func write(_ event: EventStreamParser.Event) throws(CommandFailure) {
        var line = ByteBuffer(capacity: event.data.count + 64)
        line.append("{\"event\":")
        line.append(jsonString: event.name)
        line.append(",\"id\":")
        line.append(jsonString: event.lastID)
        line.append(",\"data\":")
        if (try? JSONValue.parse(event.data)) != nil {
            line.append(event.data)
        } else {
            line.append(jsonString: String(decoding: event.data, as: UTF8.self))
        }
        line.append("}\n")
        try Terminal.write(line.bytes)
    }

    private func draw() throws(CommandFailure) {
        guard draws else { return }
        try Terminal.print(
            "\u{1B}[H\u{1B}[2J"
                + WatchScreen.text(
                    title, status, state, width: Terminal.width, height: Terminal.height))
    }
}

/// What `watch` shows on a terminal.
enum WatchScreen {
    static func text(
        _ title: String, _ status: String, _ state: LiveState, width: Int, height: Int
    ) -> String {
        var head = Terminal.printable(title)
        if let groups = state.groups?.count ?? state.aggregates?.arrayValue?.count {
            head += "  \(Count.text(groups, "group", "groups"))"
        } else if state.aggregates == nil, state.hasSnapshot {
            head += "  \(Progress.grouped(state.rows.count))"
        }
        if let total = state.total { head += " of \(total)" }
        head += "  [\(Terminal.printable(status))]"
        var lines = [head, ""]
        // Before the first snapshot nothing is known, not even that there is nothing.
        if state.hasSnapshot {
            lines += ResultText.lines(
                items: state.rows, groups: state.groups, aggregates: state.aggregates,
                width: width)
        }
        // The last line stays free for the cursor.
        if lines.count > height - 1 {
            let hidden = lines.count - height + 2
            lines = lines.prefix(max(1, height - 2)) + ["… \(hidden) more lines"]
        }
        return lines.map { $0.prefix(max(1, width)) + "\n" }.joined()
    }
}
