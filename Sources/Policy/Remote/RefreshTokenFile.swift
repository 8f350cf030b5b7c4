import FreshetJSON
import Glibc

/// The file that keeps a rotated refresh token over a restart: `credential-ID.json` in the data
/// directory, mode 0600.
///
/// A JSON object: `{"format":1,"tokenURL":…,"clientId":…,"version":…,"refreshToken":…}`. It is
/// written beside its place, synced, renamed and the directory synced, so a crash leaves the old
/// text or the new one. A text that belongs to another endpoint or client is not used: a token is
/// only ever sent to whom it is from.
///
/// Not synchronised: one caller at a time.
package struct RefreshTokenFile: Sendable {
    struct Content: Equatable {
        var refreshToken: Secret
        var version: UInt64
    }

    enum Fault: Error {
        case system(call: StaticString, code: CInt)
        /// It is no text of this form, or it belongs to another endpoint or client.
        case foreign
    }

    package let path: String
    private let directory: String
    private let tokenURL: String
    private let clientID: String

    private static let maximumBytes = 64 << 10

    /// - Parameter id: The upstream's; any other characters than letters, digits, `_` and `-` are
    ///   escaped in the name.
    /// - Parameter level: 0 for the credential itself, 1 for its outer one, and so on.
    package init(
        directory: String, id: String, level: Int, of configuration: OAuth2Configuration
    ) {
        var name = "credential-"
        for byte in id.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F:
                name.unicodeScalars.append(Unicode.Scalar(byte))
            default: name += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        if level > 0 { name += ".outer\(level)" }
        self.directory = directory
        path = "\(directory)/\(name).json"
        tokenURL = configuration.tokenURL.text
        clientID = configuration.clientID ?? ""
    }

    /// - Returns: nil where there is no file.
    func read() throws(Fault) -> Content? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .system(call: "open", code: errno)
        }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: Self.maximumBytes + 1)
        var count = 0
        while count < bytes.count {
            let (got, code) = bytes.withUnsafeMutableBytes { buffer in
                let got = Glibc.read(
                    descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
                return (got, got < 0 ? errno : 0)
            }
            if code == EINTR { continue }
            guard got >= 0 else { throw .system(call: "read", code: code) }
            if got == 0 { break }
            count += got
        }
        // Whatever it is instead, its text is shown nowhere.
        guard count <= Self.maximumBytes, let value = try? JSONValue.parse(Array(bytes[..<count])),
            value["format"]?.int64Value == 1, value["tokenURL"]?.stringValue == tokenURL,
            value["clientId"]?.stringValue == clientID,
            let version = value["version"]?.int64Value.flatMap({ UInt64(exactly: $0) }),
            let token = value["refreshToken"]?.stringValue.flatMap(Secret.init(token:))
        else { throw .foreign }
        return Content(refreshToken: token, version: version)
    }

    func write(_ content: Content) throws(Fault) {
        let text = JSONValue.object([
            .init(name: "format", value: 1), .init(name: "tokenURL", value: .string(tokenURL)),
            .init(name: "clientId", value: .string(clientID)),
            .init(name: "version", value: .number(String(content.version))),
            .init(name: "refreshToken", value: .string(content.refreshToken.reveal())),
        ]).text
        let temporary = path + ".new"
        // What an earlier crash has left; where there is nothing, that is right.
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(call: "open", code: errno) }
        do throws(Fault) {
            try Self.writeAll(Array(text.utf8), to: descriptor)
            guard fsync(descriptor) == 0 else { throw .system(call: "fsync", code: errno) }
        } catch {
            close(descriptor)
            unlink(temporary)
            throw error
        }
        close(descriptor)
        guard rename(temporary, path) == 0 else { throw .system(call: "rename", code: errno) }
        try syncDirectory()
    }

    func remove() throws(Fault) {
        guard unlink(path) == 0 else {
            if errno == ENOENT { return }
            throw .system(call: "unlink", code: errno)
        }
        try syncDirectory()
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: CInt) throws(Fault) {
        var offset = 0
        while offset < bytes.count {
            let (written, code) = bytes.withUnsafeBytes { buffer in
                let written = Glibc.write(
                    descriptor, buffer.baseAddress.map { $0 + offset }, buffer.count - offset)
                return (written, written < 0 ? errno : 0)
            }
            if code == EINTR { continue }
            guard written >= 0 else { throw .system(call: "write", code: code) }
            offset += written
        }
    }

    private func syncDirectory() throws(Fault) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(call: "open", code: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .system(call: "fsync", code: errno) }
    }
}
