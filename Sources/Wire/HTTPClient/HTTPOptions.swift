import CCurl

/// What a handle is told before its transfer starts.
struct HTTPOptions {
    private let library: CurlLibrary
    private let easy: OpaquePointer

    init(_ library: CurlLibrary, _ easy: OpaquePointer) {
        self.library = library
        self.easy = easy
    }

    /// - Parameters:
    ///   - roots: The file of authorities; nil where no TLS is.
    ///   - fieldList: The list of header fields, to be freed after the handle.
    /// - Returns: What is wrong with the call, or nil.
    func set(
        _ transfer: HTTPTransfer, roots: String?, _ errorText: UnsafeMutablePointer<CChar>,
        _ fieldList: inout OpaquePointer?
    ) -> String? {
        let call = transfer.call
        if let complaint = Self.complaint(about: call) { return complaint }
        fieldList = list(of: call)
        guard fieldList != nil else { return "libcurl is out of memory" }
        let context = UnsafeMutableRawPointer(Unmanaged.passUnretained(transfer).toOpaque())
        var codes: [(CInt, StaticString)] = []
        func number(_ option: Int, _ value: Int, _ name: StaticString) {
            codes.append((freshet_curl_set_number(library.table, easy, CInt(option), value), name))
        }
        func text(_ option: Int, _ value: String?, _ name: StaticString) {
            let code =
                value?.withCString {
                    freshet_curl_set_address(library.table, easy, CInt(option), $0)
                } ?? freshet_curl_set_address(library.table, easy, CInt(option), nil)
            codes.append((code, name))
        }
        func address(_ option: Int, _ value: UnsafeRawPointer?, _ name: StaticString) {
            codes.append((freshet_curl_set_address(library.table, easy, CInt(option), value), name))
        }

        address(FRESHET_CURL_ERRORBUFFER, errorText, "ERRORBUFFER")
        address(FRESHET_CURL_PRIVATE, context, "PRIVATE")
        number(FRESHET_CURL_NOSIGNAL, 1, "NOSIGNAL")
        number(
            FRESHET_CURL_PROTOCOLS, FRESHET_CURL_HTTP | FRESHET_CURL_HTTPS, "PROTOCOLS")
        number(FRESHET_CURL_FOLLOWLOCATION, 0, "FOLLOWLOCATION")
        number(FRESHET_CURL_PATH_AS_IS, 1, "PATH_AS_IS")
        number(FRESHET_CURL_DISALLOW_USERNAME_IN_URL, 1, "DISALLOW_USERNAME_IN_URL")
        number(FRESHET_CURL_HTTP_VERSION, FRESHET_CURL_HTTP_1_1, "HTTP_VERSION")
        number(FRESHET_CURL_HTTP09_ALLOWED, 0, "HTTP09_ALLOWED")
        number(FRESHET_CURL_TCP_KEEPALIVE, 1, "TCP_KEEPALIVE")
        number(FRESHET_CURL_SUPPRESS_CONNECT_HEADERS, 1, "SUPPRESS_CONNECT_HEADERS")
        number(
            FRESHET_CURL_CONNECTTIMEOUT_MS, call.route.connectMilliseconds, "CONNECTTIMEOUT_MS")
        if library.endsQuickly { number(FRESHET_CURL_QUICK_EXIT, 1, "QUICK_EXIT") }
        if transfer.takesNoKeptConnection { number(FRESHET_CURL_FRESH_CONNECT, 1, "FRESH_CONNECT") }
        if call.isQuiet {
            number(FRESHET_CURL_BUFFERSIZE, 1_024, "BUFFERSIZE")
            // The least. Over TLS the head goes out of this buffer, which is of 64 KiB otherwise.
            number(FRESHET_CURL_UPLOAD_BUFFERSIZE, 16_384, "UPLOAD_BUFFERSIZE")
        }
        if call.takesCoding { text(FRESHET_CURL_ACCEPT_ENCODING, "", "ACCEPT_ENCODING") }
        text(FRESHET_CURL_URL, call.url, "URL")

        text(FRESHET_CURL_PROXY, call.route.proxy ?? "", "PROXY")
        // The environment's exceptions are not ours.
        text(FRESHET_CURL_NOPROXY, "", "NOPROXY")
        if let path = call.route.unixSocket {
            text(FRESHET_CURL_UNIX_SOCKET_PATH, path, "UNIX_SOCKET_PATH")
        }
        if let roots {
            text(FRESHET_CURL_CAINFO, roots, "CAINFO")
            text(FRESHET_CURL_PROXY_CAINFO, roots, "PROXY_CAINFO")
            // OpenSSL would trust the system's folder as well.
            text(FRESHET_CURL_CAPATH, nil, "CAPATH")
            text(FRESHET_CURL_PROXY_CAPATH, nil, "PROXY_CAPATH")
        }
        if let certificate = call.route.certificate {
            text(FRESHET_CURL_SSLCERT, certificate, "SSLCERT")
        }
        if let key = call.route.key { text(FRESHET_CURL_SSLKEY, key, "SSLKEY") }

        address(FRESHET_CURL_HTTPHEADER, UnsafeRawPointer(fieldList), "HTTPHEADER")
        setMethod(call, number: number, text: text, address: address)
        codes.append((setCallbacks(context), "the callbacks"))
        for (code, name) in codes where code != 0 {
            let words = library.table.pointee.easy_strerror(code).map { String(cString: $0) }
            return "libcurl refuses \(name): \(words ?? "\(code)")"
        }
        return nil
    }

    private func setMethod(
        _ call: HTTPCall, number: (Int, Int, StaticString) -> Void,
        text: (Int, String?, StaticString) -> Void,
        address: (Int, UnsafeRawPointer?, StaticString) -> Void
    ) {
        let needsBody = ["POST", "PUT", "PATCH"].contains(call.method)
        if call.method == "HEAD" {
            number(FRESHET_CURL_NOBODY, 1, "NOBODY")
        } else if let body = call.body ?? (needsBody ? [] : nil) {
            _ = freshet_curl_set_size(
                library.table, easy, CInt(FRESHET_CURL_POSTFIELDSIZE_LARGE), Int64(body.count))
            if body.count > Self.mostCopied {
                number(FRESHET_CURL_POST, 1, "POST")
                number(FRESHET_CURL_UPLOAD_BUFFERSIZE, Self.mostCopied, "UPLOAD_BUFFERSIZE")
            } else {
                copy(body, address)
            }
            text(FRESHET_CURL_CUSTOMREQUEST, call.method, "CUSTOMREQUEST")
        } else if call.method != "GET" {
            text(FRESHET_CURL_CUSTOMREQUEST, call.method, "CUSTOMREQUEST")
        }
    }

    /// Bytes of a body that libcurl is given a copy of, to go out with the head; a larger one it
    /// asks for in pieces as large, each in a round of its own.
    private static let mostCopied = 256 << 10

    private func copy(_ body: [UInt8], _ address: (Int, UnsafeRawPointer?, StaticString) -> Void) {
        body.withUnsafeBytes {
            // An empty array may have no address, which would mean that there is no body.
            withUnsafePointer(to: UInt8(0)) { [bytes = $0.baseAddress] nothing in
                address(
                    FRESHET_CURL_COPYPOSTFIELDS, bytes ?? UnsafeRawPointer(nothing),
                    "COPYPOSTFIELDS")
            }
        }
    }

    private func setCallbacks(_ context: UnsafeMutableRawPointer) -> CInt {
        let table = library.table
        return freshet_curl_set_bytes(table, easy, CInt(FRESHET_CURL_HEADERFUNCTION), headerArrived)
            | freshet_curl_set_address(table, easy, CInt(FRESHET_CURL_HEADERDATA), context)
            | freshet_curl_set_bytes(table, easy, CInt(FRESHET_CURL_WRITEFUNCTION), bodyArrived)
            | freshet_curl_set_address(table, easy, CInt(FRESHET_CURL_WRITEDATA), context)
            | freshet_curl_set_bytes(table, easy, CInt(FRESHET_CURL_READFUNCTION), bodyWanted)
            | freshet_curl_set_address(table, easy, CInt(FRESHET_CURL_READDATA), context)
            | freshet_curl_set_seek(table, easy, bodySought)
            | freshet_curl_set_address(table, easy, CInt(FRESHET_CURL_SEEKDATA), context)
            | freshet_curl_set_prereq(table, easy, requestDue)
            | freshet_curl_set_address(table, easy, CInt(FRESHET_CURL_PREREQDATA), context)
            | freshet_curl_set_open(table, easy, socketWanted)
            | freshet_curl_set_address(table, easy, CInt(FRESHET_CURL_OPENSOCKETDATA), context)
    }

    /// What would be sent as something else than it says.
    private static func complaint(about call: HTTPCall) -> String? {
        guard isToken(call.method) else { return "the method is no token" }
        guard ["http://", "https://"].contains(where: call.url.lowercased().hasPrefix) else {
            return "the address is neither http:// nor https://"
        }
        guard call.url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            return "the address has characters that are not percent-encoded"
        }
        for field in call.fields {
            guard isToken(field.name) else { return "a header field's name is no token" }
            guard !["content-length", "transfer-encoding"].contains(field.name.lowercased()) else {
                return "the header field \(field.name) is made of the body"
            }
            guard field.value.utf8.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else {
                return "the value of the header field \(field.name) has control characters"
            }
        }
        return nil
    }

    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10
                    || "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
    }

    /// The header fields, and those of libcurl's own that are not wanted.
    private func list(of call: HTTPCall) -> OpaquePointer? {
        var lines = ["Expect:"]
        if !call.fields.contains(where: { $0.name.lowercased() == "content-type" }) {
            lines.append("Content-Type:")
        }
        for field in call.fields {
            lines.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        var list: OpaquePointer?
        for line in lines {
            guard let longer = library.table.pointee.slist_append(list, line) else {
                library.table.pointee.slist_free_all(list)
                return nil
            }
            list = longer
        }
        return list
    }
}

// Callbacks: the context is the transfer, which the client retains while libcurl has the handle.

private func transfer(_ context: UnsafeMutableRawPointer?) -> HTTPTransfer? {
    context.map { Unmanaged<HTTPTransfer>.fromOpaque($0).takeUnretainedValue() }
}

private let headerArrived: freshet_curl_bytes = { bytes, size, count, context in
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return transfer(context)?.receive(headLine: line) == true ? line.count : 0
}

private let bodyArrived: freshet_curl_bytes = { bytes, size, count, context in
    transfer(context)?.receive(body: UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
}

private let bodyWanted: freshet_curl_bytes = { bytes, size, count, context in
    let space = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
    return transfer(context)?.send(bodyInto: space) ?? 0
}

private let bodySought: freshet_curl_seek = { context, offset, origin in
    // From the beginning, as libcurl seeks.
    transfer(context)?.seek(bodyTo: Int(offset), origin: origin) == true ? 0 : 1
}

private let requestDue: freshet_curl_prereq = { context, remote, _, _, _ in
    transfer(context)?.maySend(to: remote) == true
        ? CInt(FRESHET_CURL_PREREQ_OK) : CInt(FRESHET_CURL_PREREQ_ABORT)
}

private let socketWanted: freshet_curl_open = { context, _, address in
    guard let address, let transfer = transfer(context) else {
        return CInt(FRESHET_CURL_SOCKET_BAD)
    }
    return transfer.open(address)
}
