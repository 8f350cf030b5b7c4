import FreshetBase
import FreshetHTTP
import FreshetJSON
import FreshetRemote
import Glibc

/// `freshet watch TYPE [ID]`: a live query until the user ends it.
///
/// On a terminal the result is drawn anew with each change; elsewhere every event is one line
/// `{"event","id","data"}`. A lost connection is made again and resumes behind the last event, so
/// nothing is missed and nothing comes twice.
final class WatchCommand {
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
    private var state = WatchedRows()
    private var status = "connecting"
    private var recent = WatchChanges()
    /// When the screen was drawn last.
    private var drawnAt = MonotonicInstant.now
    /// Whether an event has come since.
    private var hasChanged = false
    private let keys: Keyboard?
    /// Why the stream is over for good.
    private var ending: Ending?

    private enum Ending {
        case failed(String)
        /// The user wants no more.
        case quit
    }

    static func run(_ arguments: ParsedArguments) throws(CommandFailure) -> Exit {
        let command = try WatchCommand(arguments)
        defer { command.keys?.restore() }
        try command.watch()
        return .done
    }

    private init(_ arguments: ParsedArguments) throws(CommandFailure) {
        let isOne = arguments.positionals.count == 2
        draws = Terminal.outputIsTerminal && !arguments.has("json")
        let query = SearchOptions.query(arguments) + ["live=delta"]
        path =
            "/v1/" + arguments.positionals.map(PercentEncoding.segment).joined(separator: "/") + "?"
            + query.joined(separator: "&")
        title = arguments.positionals.joined(separator: "/")
        guard !isOne || query.allSatisfy({ !$0.hasPrefix("filter=") }) else {
            throw .usage("one entity has no --filter; leave out the ID or the filter")
        }
        client = try ServerConnection.client(arguments, patience: Self.patience)
        keys = draws && !client.printsOnly ? Keyboard() : nil
    }

    private func watch() throws(CommandFailure) {
        var tries = 0
        while true {
            do throws(CommandFailure) {
                try connect()
                tries = 0
            } catch {
                if case .quit = ending { return }
                // Who has never been reached is told at once; later it is waited for.
                guard error.exit == .unreachable, tries > 0 || hasBegun else { throw error }
                tries += 1
                pause = min(Self.longestPause, max(1_000, pause) * 2)
                status = "server not reachable, next try in \(pause / 1000) s"
                try draw()
            }
            if try hasEnded() { return }
            client.disconnect()
            // Spread, so that watchers that lost a server together do not come back together.
            let until = MonotonicInstant.now + .milliseconds(Int.random(in: pause / 2...pause))
            while MonotonicInstant.now < until {
                usleep(50_000)
                do throws(CommandFailure) { try tick() } catch {
                    if try hasEnded() { return } else { throw error }
                }
            }
        }
    }

    private func hasEnded() throws(CommandFailure) -> Bool {
        switch ending {
        case nil: return false
        case .quit: return true
        case .failed(let sentence): throw .failed(sentence)
        }
    }

    /// Looks at the keyboard and at who reads, and draws anew where the time alone changes what is shown.
    private func tick() throws(CommandFailure) {
        guard draws else {
            if Terminal.readerHasLeft { throw .readerLeft }
            return
        }
        if keys?.hasTyped("q") == true {
            ending = .quit
            throw .printed
        }
        if keys?.hasReturned() == true { return try draw() }
        // A terminal that knows no escapes is not drawn anew: what is on it stays.
        if !Terminal.isDumb, MonotonicInstant.now - drawnAt >= .seconds(1) { try draw() }
    }

    private var hasBegun: Bool { !lastID.isEmpty }

    /// One connection, until it ends.
    private func connect() throws(CommandFailure) {
        var headers = [(name: "Accept", value: "text/event-stream")]
        if hasBegun { headers.append((name: "Last-Event-ID", value: lastID)) }
        try client.send("GET", path, headers: headers)
        var parser = EventStreamParser(lastID: lastID)
        var refusal: [UInt8] = []
        let head = try client.receive { () throws(CommandFailure) in
            try self.tick()
        } _: { head, bytes throws(CommandFailure) in
            recent.heard(at: client.arrivedAt)
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
            try drawLatest()
        }
        // The end of the stream was waiting behind the last events.
        try drawLatest()
        switch head.status {
        case 200: status = "reconnecting"
        case 204: ending = .failed("there is nothing to watch any more")
        case 429, 503:
            throw .unreachable(ServerConnection.sentence(status: head.status, body: refusal))
        default: throw .refused(status: head.status, body: refusal)
        }
    }

    private func take(_ event: EventStreamParser.Event) throws(CommandFailure) {
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
            let asked = Duration.milliseconds(max(0, data["after"]?.int64Value ?? 1_000))
            pause = Int(min(asked, RetryAfter.longest) / .milliseconds(1))
            let reason = data["reason"]?.stringValue ?? "no reason"
            status = "reconnecting (\(reason))"
            if data["reconnect"]?.boolValue == false {
                ending = .failed("the server ended the live query: \(reason)")
            }
        default:
            let before = state
            guard draws, state.apply(event.name, data) else { return }
            recent.add(event.name, data, changes: state.changes(since: before))
        }
        recent.position = event.lastID
        hasChanged = true
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
        try Terminal.write(json: [UInt8](line.bytes))
    }

    /// Draws once for all events that have arrived: while more wait, a slow terminal is behind.
    private func drawLatest() throws(CommandFailure) {
        if hasChanged, !client.hasMore { try draw() }
    }

    private func draw() throws(CommandFailure) {
        guard draws else { return }
        drawnAt = .now
        hasChanged = false
        try Terminal.print(
            (Terminal.isDumb ? "\n" : "\u{1B}[H\u{1B}[2J")
                + WatchScreen.text(
                    title, status, state, recent: recent, canQuit: keys != nil, at: drawnAt,
                    hasWeight: Terminal.outputHasWeight, width: Terminal.width,
                    height: Terminal.height))
    }
}

/// The cells of a live query that have changed lately.
struct WatchChanges {
    /// How long changed cells stand out.
    private static let glow = Duration.seconds(3)
    /// The time that the rate is told of.
    private static let span = Duration.seconds(10)
    /// Rows that left are named, the latest so many.
    private static let mostLeft = 20

    /// The id of the last event.
    var position = ""
    /// When each member of a row, by its key, has changed.
    private var changed: [String: [String: MonotonicInstant]] = [:]
    private var heardAt: MonotonicInstant?
    /// `7 unmatched`, the latest first.
    private(set) var left: [String] = []
    private var commits: [(at: MonotonicInstant, count: Int64)] = []

    /// Something has come from the server.
    mutating func heard(at now: MonotonicInstant = .now) { heardAt = now }

    mutating func add(
        _ event: String, _ data: JSONValue, changes: [String: Set<String>],
        at now: MonotonicInstant = .now
    ) {
        for key in Array(changed.keys) {
            changed[key] = changed[key]?.filter { now - $0.value < Self.glow }
            if changed[key]?.isEmpty == true { changed[key] = nil }
        }
        for (key, names) in changes {
            for name in names { changed[key, default: [:]][name] = now }
        }
        let gone = (data["remove"]?.objectValue ?? []).map {
            "\($0.name) \($0.value.stringValue ?? "")"
        }
        left = Array((gone + left).prefix(Self.mostLeft))
        // A snapshot is a beginning.
        if event == "delta" { commits.append((now, max(0, data["commits"]?.int64Value ?? 1))) }
        commits.removeAll { now - $0.at > Self.span }
    }

    /// Members that stand out, by the places of their rows.
    func marks(of keys: [String], at now: MonotonicInstant) -> [Int: Set<String>] {
        var marks: [Int: Set<String>] = [:]
        for (place, key) in keys.enumerated() {
            let names = (changed[key] ?? [:]).filter { now - $0.value < Self.glow }.keys
            if !names.isEmpty { marks[place] = Set(names) }
        }
        return marks
    }

    /// `seq 1042  0.4 changes/s  lag < 1 s`; nil before anything has come.
    func footer(at now: MonotonicInstant) -> String? {
        guard let heardAt else { return nil }
        var parts: [String] = []
        let words = position.split(separator: ".")
        if words.count > 1 { parts.append("seq \(Terminal.line(String(words[1])))") }
        let count = commits.filter { now - $0.at <= Self.span }
            .reduce(Int64(0)) { $0.addingSaturated($1.count) }
        parts.append("\(count / 10).\(count % 10) changes/s")
        // What the server has said last was exact then: signs of life come with a position.
        parts.append("lag < \((now - heardAt).components.seconds + 1) s")
        return parts.joined(separator: "  ")
    }
}

/// Keys of the terminal, one by one, while it is this command's.
final class Keyboard {
    // SAFETY: written before the handlers that read them are installed.
    nonisolated(unsafe) private static var saved = termios()
    // SAFETY: one word, which the handler of SIGCONT sets and the command's thread takes back.
    nonisolated(unsafe) private static var hasContinued: CInt = 0

    /// The terminal's mode while it is this command's.
    private var mode = termios()

    /// - Returns: nil where standard input is no terminal, or another's.
    init?() {
        guard isatty(STDIN_FILENO) == 1, tcgetpgrp(STDIN_FILENO) == getpgrp(),
            tcgetattr(STDIN_FILENO, &Self.saved) == 0
        else { return nil }
        // What ends the command gives the terminal back first.
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
            signal(number) { number in
                Keyboard.giveBack()
                signal(number, SIG_DFL)
                raise(number)
            }
        }
        watchStops()
        mode = Self.saved
        mode.c_lflag &= ~tcflag_t(ICANON | ECHO)
        // A read takes what is there.
        withUnsafeMutableBytes(of: &mode.c_cc) { codes in
            codes[Int(VMIN)] = 0
            codes[Int(VTIME)] = 0
        }
        guard tcsetattr(STDIN_FILENO, TCSANOW, &mode) == 0 else { return nil }
    }

    /// Gives the terminal back where the command is stopped (Ctrl-Z), and notes when it goes on.
    private func watchStops() {
        Self.hasContinued = 0
        signal(SIGTSTP) { _ in
            Keyboard.giveBack()
            raise(SIGSTOP)
        }
        signal(SIGCONT) { _ in Keyboard.hasContinued = 1 }
    }

    func restore() { Self.giveBack() }

    /// Has the terminal as it was; in the background it is another's already. Also in signal handlers.
    private static func giveBack() {
        if isInForeground { _ = tcsetattr(STDIN_FILENO, TCSANOW, &saved) }
    }

    /// Whether the terminal is this command's; a command in the background is stopped where it reads
    /// or sets it.
    private static var isInForeground: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

    /// Whether the command was stopped and goes on in the foreground; the terminal is then its own
    /// again, and shows something else.
    func hasReturned() -> Bool {
        guard Self.hasContinued != 0, Self.isInForeground else { return false }
        Self.hasContinued = 0
        _ = tcsetattr(STDIN_FILENO, TCSANOW, &mode)
        return true
    }

    /// Whether this key was pressed since the last call.
    func hasTyped(_ key: Unicode.Scalar) -> Bool {
        var state = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        // A terminal that a shell has set back would let a read wait for a whole line.
        guard Self.isInForeground, poll(&state, 1, 0) > 0 else { return false }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        return count > 0 && bytes.prefix(count).contains { UInt32($0) == key.value }
    }
}

/// What `watch` shows on a terminal.
enum WatchScreen {
    /// - Parameter canQuit: Whether a key ends it.
    static func text(
        _ title: String, _ status: String, _ state: WatchedRows,
        recent: WatchChanges = WatchChanges(),
        canQuit: Bool = false, at now: MonotonicInstant = .now, hasWeight: Bool = false, width: Int,
        height: Int
    ) -> String {
        var head = Terminal.line(title)
        if let groups = state.groups?.count ?? state.aggregates?.arrayValue?.count {
            head += "  \(Count.text(groups, "group", "groups"))"
        } else if state.aggregates == nil, state.hasSnapshot {
            head += "  \(Progress.grouped(state.rows.count))"
        }
        if let total = state.total { head += " of \(total)" }
        head += "  [\(Terminal.line(status))]"
        let style = TableStyle(
            hasWeight: hasWeight, isCut: true,
            marks: state.groups == nil ? recent.marks(of: state.keys, at: now) : [:])
        // Before the first snapshot nothing is known, not even that there is nothing.
        var table: [String] = []
        if state.hasSnapshot {
            table = ResultText.lines(
                items: state.rows, groups: state.groups, aggregates: state.aggregates,
                width: width, style: style)
        }
        var foot: [String] = []
        if let last = table.last, last.hasPrefix("… and ") { foot.append(table.removeLast()) }
        if !recent.left.isEmpty {
            foot.append("left: \(Terminal.line(recent.left.joined(separator: ", ")))")
        }
        if let footer = recent.footer(at: now) {
            foot += ["", footer + (canQuit ? "  q ends" : "")]
        }
        // Head and its empty line; the last line stays free for the cursor.
        let room = max(1, height - 3 - foot.count)
        if table.count > room {
            let hidden = table.count - room + 1
            table = table.prefix(room - 1) + ["… \(hidden) more lines"]
        }
        let lines =
            [style.head(TextWidth.cut(head, to: width)), ""] + table
            + foot.map { TextWidth.cut($0, to: width) }
        return lines.map { $0 + "\n" }.joined()
    }
}
