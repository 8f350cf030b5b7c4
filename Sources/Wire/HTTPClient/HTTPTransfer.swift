import CCurl
import Glibc

/// One call on its way: queued → running ⇄ paused → ended, once.
///
/// The client retains it from `submit` to its end, so that no callback of libcurl, which knows it by
/// an unretained address, can find it gone.
// SAFETY: all mutable state belongs to the client's thread; `cancel` and `resume` only put a command
// into the client's inbox, which a lock guards.
package final class HTTPTransfer: @unchecked Sendable {
    let call: HTTPCall
    /// nil once it has ended: what it holds may hold this transfer.
    private var receiver: (any HTTPReceiver)?
    private let client: HTTPClient

    enum State { case queued, running, ended }
    private(set) var state = State.queued
    private(set) var easy: OpaquePointer?
    private var fieldList: OpaquePointer?
    private let errorText = UnsafeMutablePointer<CChar>.allocate(
        capacity: Int(FRESHET_CURL_ERROR_BYTES))

    /// Fields of the head that is being read; interim answers and redirects begin it anew.
    private var status = 0
    private var fields: [(name: String, value: String)] = []
    private var headBytes = 0
    /// Whether the next line of the head is a status line.
    private var isAtStatus = true
    private var hasHead = false
    private var bodyBytes = 0
    /// How often the request, or a part of it, was about to be sent.
    private var sendings = 0
    /// Whether a socket was opened, whose address was judged then.
    private var hasOpened = false
    /// Whether the kept connection that libcurl has chosen leads to an address that is refused here;
    /// a call with other rules has made it.
    private var hasRefusedConnection = false
    /// Whether the call is made again for that, over a connection of its own.
    private(set) var takesNoKeptConnection = false
    /// Bytes of a large body that libcurl has taken.
    private var bodySent = 0
    private var wantsPause = false
    /// Why we ended the transfer; libcurl would only say that a callback did.
    private var ownFault: HTTPFault?
    /// That an address was refused; of account where no other of the host's addresses serves.
    private var refusal: HTTPFault?

    init(_ call: HTTPCall, _ receiver: any HTTPReceiver, _ client: HTTPClient) {
        self.call = call
        self.receiver = receiver
        self.client = client
        errorText.pointee = 0
    }

    deinit {
        errorText.deallocate()
    }

    // MARK: - From any thread

    /// Starts the transfer; called once.
    package func submit() {
        client.submit(.start(self))
    }

    /// Ends the transfer with `fault`, soon, unless it has ended.
    package func cancel(_ fault: HTTPFault = .cancelled) {
        client.submit(.cancel(self, fault))
    }

    /// Asks for more after `HTTPReceiver.body` has answered false.
    package func resume() {
        client.submit(.resume(self))
    }

    // MARK: - On the client's thread

    /// Makes the handle. After a failure the transfer has ended.
    ///
    /// - Parameter roots: The file of authorities; nil where no TLS is.
    func start(_ library: CurlLibrary, roots: String?) -> OpaquePointer? {
        guard state == .queued else { return nil }
        guard let easy = library.table.pointee.easy_init() else {
            finish(.unreachable(.other, detail: "libcurl is out of memory"))
            return nil
        }
        self.easy = easy
        state = .running
        let options = HTTPOptions(library, easy)
        if let complaint = options.set(self, roots: roots, errorText, &fieldList) {
            release(library)
            finish(.unreachable(.other, detail: complaint))
            return nil
        }
        return easy
    }

    /// Gives the handle back, which is no longer in the multi handle.
    func release(_ library: CurlLibrary) {
        if let easy { library.table.pointee.easy_cleanup(easy) }
        easy = nil
        if let fieldList { library.table.pointee.slist_free_all(fieldList) }
        fieldList = nil
    }

    /// The end as libcurl tells it.
    func fault(_ code: CInt, _ library: CurlLibrary) -> HTTPFault? {
        if let ownFault { return ownFault }
        guard code != 0 else {
            // To libcurl a head that the connection's end cuts is whole.
            return hasHead
                ? nil
                : .unreachable(
                    maySendAgain ? .reset : .lost, detail: "the connection ended within a head")
        }
        if let refusal, code == 7 || code == 42 && sendings == 0 { return refusal }
        let text =
            errorText.pointee != 0
            ? String(cString: errorText)
            : library.table.pointee.easy_strerror(code).map { String(cString: $0) } ?? "\(code)"
        // A line of more than libcurl's own 100 KiB is out of memory to it.
        if code == 63 || code == 100 || code == 27 && sendings > 0 && !hasHead {
            return .headTooLarge(limit: call.headLimit, status: status)
        }
        return HTTPFault(code, text, wasSent: sendings > 0, maySendAgain: maySendAgain)
    }

    /// Whether the transfer has to start again, which nothing was sent of. To be released before.
    func startsAgain() -> Bool {
        guard hasRefusedConnection, !takesNoKeptConnection else { return false }
        takesNoKeptConnection = true
        bodySent = 0
        state = .queued
        errorText.pointee = 0
        return true
    }

    /// Whether the request, or a part of it, may have reached the other end. To be asked behind the
    /// receiver's `finish`.
    package var wasSent: Bool { sendings > 0 }

    /// Whether a repeat does nothing twice.
    private var maySendAgain: Bool { call.isRepeatable || sendings == 0 }

    /// Tells the receiver of the end, once.
    func finish(_ fault: HTTPFault?) {
        guard state != .ended else { return }
        state = .ended
        let last = receiver
        receiver = nil
        last?.finish(fault)
    }

    /// Whether libcurl is to go on after a pause.
    func takeResume() -> Bool {
        guard state == .running, wantsPause else { return false }
        wantsPause = false
        return true
    }

    // MARK: - Callbacks of libcurl

    /// A line of the head, or of the trailers.
    ///
    /// - Returns: Whether to go on.
    func receive(headLine line: UnsafeRawBufferPointer) -> Bool {
        headBytes += line.count
        guard headBytes <= call.headLimit else {
            ownFault = .headTooLarge(limit: call.headLimit, status: status)
            return false
        }
        // Trailers are counted, and dropped.
        guard !hasHead else { return true }
        var end = line.count
        while end > 0, line[end - 1] == 0x0A || line[end - 1] == 0x0D { end -= 1 }
        let text = UnsafeRawBufferPointer(rebasing: line[..<end])
        if isAtStatus {
            isAtStatus = false
            status =
                text.split(separator: 0x20, maxSplits: 2).dropFirst().first
                .flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
            fields.removeAll(keepingCapacity: true)
            return true
        }
        if end == 0 {
            isAtStatus = true
            // Never asked for, and what follows would be no HTTP.
            guard status != 101 else {
                ownFault = noAnswer("the answer changes the protocol")
                return false
            }
            // An interim answer has a head of its own.
            guard status >= 200 else { return true }
            return deliverHead()
        }
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return true }
        let name = String(decoding: text[..<colon], as: UTF8.self)
        let value = text[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
        fields.append((name, String(decoding: value.trimmedEnd, as: UTF8.self)))
        return true
    }

    private func deliverHead() -> Bool {
        // Two lengths are two answers for two readers (RFC 9112, section 6.3).
        var lengths: Set<String> = []
        for field in fields where field.name.lowercased() == "content-length" {
            lengths.insert(field.value)
        }
        guard lengths.count < 2 else {
            ownFault = noAnswer("the answer has two lengths")
            return false
        }
        // libcurl would read on to the connection's end, and take that for the whole.
        guard lengths.allSatisfy({ Int($0).map { $0 >= 0 } ?? false }) else {
            ownFault = noAnswer("the answer's length is no number of bytes")
            return false
        }
        hasHead = true
        if call.isQuiet { recordArrival() }
        receiver?.head(HTTPHead(status: status, fields: fields))
        fields = []
        return true
    }

    /// What came is no answer to be read, and may be that to a request which was carried out.
    private func noAnswer(_ detail: String) -> HTTPFault {
        .unreachable(maySendAgain ? .other : .lost, detail: detail)
    }

    private func recordArrival() {
        if call.needsTLS { client.record(arrivalFor: self) }
    }

    /// Bytes of the body.
    ///
    /// - Returns: What the callback answers.
    func receive(body bytes: UnsafeRawBufferPointer) -> Int {
        if wantsPause { return Int(FRESHET_CURL_WRITE_PAUSE) }
        if let limit = call.bodyLimit, bytes.count > limit - bodyBytes {
            ownFault = .bodyTooLarge(limit: limit)
            return 0
        }
        bodyBytes += bytes.count
        if call.isQuiet { recordArrival() }
        if receiver?.body(bytes) == false { wantsPause = true }
        return bytes.count
    }

    /// Puts the next bytes of the request's body into `space`.
    ///
    /// - Returns: How many; 0 behind the last.
    func send(bodyInto space: UnsafeMutableRawBufferPointer) -> Int {
        guard let body = call.body, bodySent < body.count else { return 0 }
        let count = min(space.count, body.count - bodySent)
        body.withUnsafeBytes {
            space.copyMemory(from: .init(rebasing: $0[bodySent...].prefix(count)))
        }
        bodySent += count
        return count
    }

    /// Has the body sent again from `offset` on: a kept connection has died.
    func seek(bodyTo offset: Int, origin: CInt) -> Bool {
        guard origin == SEEK_SET, let body = call.body, 0...body.count ~= offset else {
            return false
        }
        bodySent = offset
        return true
    }

    /// Whether the request may be sent, over a connection that stands.
    ///
    /// - Parameter remote: The connection's other end, as text.
    func maySend(to remote: UnsafePointer<CChar>?) -> Bool {
        if !hasOpened, !call.route.refused.isEmpty, call.route.unixSocket == nil, let remote,
            !HTTPAddressClass.of(text: remote).isDisjoint(with: call.route.refused)
        {
            hasRefusedConnection = true
            return false
        }
        sendings += 1
        guard sendings == 1 || call.isRepeatable else {
            let detail = "the connection ended after the request was sent, without an answer"
            ownFault = .unreachable(.lost, detail: detail)
            return false
        }
        return true
    }

    /// A socket for `address`, or the answer that there is none to be.
    func open(_ address: UnsafePointer<freshet_curl_address>) -> CInt {
        let refused = HTTPAddressClass.of(address).intersection(call.route.refused)
        guard refused.isEmpty else {
            let kind = refused.contains(.linkLocal) ? "link-local" : "private"
            refusal = .unreachable(
                .other, detail: "the host's address is \(kind), which is refused")
            return CInt(FRESHET_CURL_SOCKET_BAD)
        }
        let target = address.pointee
        hasOpened = true
        return Glibc.socket(
            target.family, target.type | CInt(SOCK_CLOEXEC.rawValue), target.protocol)
    }
}

extension Slice<UnsafeRawBufferPointer> {
    fileprivate var trimmedEnd: Self {
        var end = endIndex
        while end > startIndex, self[end - 1] == 0x20 || self[end - 1] == 0x09 { end -= 1 }
        return self[startIndex..<end]
    }
}

extension HTTPFault {
    /// A CURLcode other than 0 and those of a head that is too large.
    ///
    /// - Parameters:
    ///   - wasSent: Over a kept connection that ended unanswered, if this is about making another.
    ///   - maySendAgain: Whether the request is repeatable, or was never sent.
    init(_ code: CInt, _ text: String, wasSent: Bool, maySendAgain: Bool) {
        switch code {
        case 6 where wasSent, 7 where wasSent, 35 where wasSent:
            self = .unreachable(maySendAgain ? .reset : .lost, detail: text)
        case 6: self = .unreachable(.dns, detail: text)
        case 7: self = .unreachable(.refused, detail: text)
        case 28: self = .timeout
        case 35, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98:
            self = .unreachable(.tls, detail: text)
        // TLS 1.3 refuses a client's certificate behind the handshake, and before it looks at a
        // request. Any other alert may come behind a request that was done.
        case 55 where Self.refusesCertificate(text), 56 where Self.refusesCertificate(text):
            self = .unreachable(.tls, detail: text)
        case 18, 52, 55, 56, 16, 92, 8:
            self = .unreachable(maySendAgain ? .reset : .lost, detail: text)
        case 42, 65: self = .unreachable(.lost, detail: text)
        // Among them answers that cannot be read: by then the request may have been carried out.
        default: self = .unreachable(maySendAgain ? .other : .lost, detail: text)
        }
    }

    /// Whether the text names an alert by which a certificate is refused (RFC 8446, section 6.2), in
    /// OpenSSL's words or GnuTLS's.
    private static func refusesCertificate(_ text: String) -> Bool {
        let text = text.lowercased()
        return ["certificate", "unknown ca", "ca is unknown", "access denied", "access was denied"]
            .contains { text.contains($0) }
    }
}
