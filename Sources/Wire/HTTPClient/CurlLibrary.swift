import CCurl
import FreshetBase
import Glibc

/// Why outgoing HTTP is not to be had: one sentence that says what to install.
package struct CurlMissing: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
}

/// libcurl as this process has loaded it: its functions, its version, the system's authorities.
///
/// It is loaded by the first who asks for `shared`, and stays for the life of the process.
// SAFETY: `table` is filled before `load` returns and never written again; libcurl's functions may
// be called from any thread, each handle from one thread at a time.
final class CurlLibrary: @unchecked Sendable {
    /// The process's library, or why there is none.
    static let shared: Result<CurlLibrary, CurlMissing> = load()

    /// Names under which libcurl is looked for, with OpenSSL before GnuTLS.
    static let names = ["libcurl.so.4", "libcurl-gnutls.so.4"]
    /// 7.80: the first that asks before each sending (`FRESHET_CURL_PREREQFUNCTION`), without which
    /// a POST may be sent twice unseen.
    static let oldest: UInt32 = 0x07_50_00
    /// 7.87: the first whose ending transfers do not wait for a name look-up that hangs.
    static let firstQuick: UInt32 = 0x07_57_00

    let table: UnsafePointer<freshet_curl>
    /// As libcurl writes it, with the TLS library: `7.88.1 OpenSSL/3.0.19`.
    let version: String
    /// False before 7.87: a name look-up that hangs delays other requests.
    let endsQuickly: Bool
    /// The file of the system's authorities; nil where libcurl does not name one.
    let authorities: String?

    init(
        table: UnsafePointer<freshet_curl>, version: String, endsQuickly: Bool,
        authorities: String?
    ) {
        self.table = table
        self.version = version
        self.endsQuickly = endsQuickly
        self.authorities = authorities
    }

    /// What this version does worse than others, in a sentence.
    var weakness: String? {
        endsQuickly
            ? nil : "libcurl \(version): below 7.87 a name look-up that hangs delays other requests"
    }

    /// Opens the first of `names` that there is.
    ///
    /// - Complexity: 6 to 8 ms of CPU, 9 MiB of resident memory.
    static func load(_ names: [String] = names) -> Result<CurlLibrary, CurlMissing> {
        do throws(CurlMissing) {
            return check(try SharedLibrary.open(names, orThrow: missing))
        } catch {
            return .failure(error)
        }
    }

    private static func missing(_ reason: String) -> CurlMissing {
        CurlMissing(
            description: "outgoing HTTP needs libcurl 7.80 or newer "
                + "(Debian and Ubuntu: apt install libcurl4): \(reason)")
    }

    private static func check(_ handle: UnsafeMutableRawPointer) -> Result<CurlLibrary, CurlMissing>
    {
        let table = UnsafeMutablePointer<freshet_curl>.allocate(capacity: 1)
        table.initialize(to: freshet_curl())
        func refuse(_ reason: String) -> Result<CurlLibrary, CurlMissing> {
            table.deallocate()
            return .failure(missing(reason))
        }
        if let lacking = freshet_curl_load(handle, table) {
            return refuse("the one that is here lacks \(String(cString: lacking))")
        }
        guard let info = table.pointee.version_info(0)?.pointee, let number = info.version else {
            return refuse("the one that is here does not tell its version")
        }
        let version = String(cString: number)
        guard info.number >= oldest else { return refuse("\(version) is here") }
        let features = info.features
        guard features & CInt(FRESHET_CURL_FEATURE_SSL) != 0, let tls = info.tls else {
            return refuse("\(version) is here without TLS")
        }
        guard features & CInt(FRESHET_CURL_FEATURE_ASYNC_DNS) != 0 else {
            return refuse("\(version) is here without asynchronous name look-ups")
        }
        let isQuick = info.number >= firstQuick
        for (name, number) in optionNumbers where name != "QUICK_EXIT" || isQuick {
            guard let option = table.pointee.easy_option_by_name(name)?.pointee,
                option.id == number
            else { return refuse("\(version) is here, with another option \(name)") }
        }
        guard table.pointee.global_init(CLong(FRESHET_CURL_GLOBAL_DEFAULT)) == 0 else {
            return refuse("\(version) is here and does not start")
        }
        return .success(
            CurlLibrary(
                table: table, version: "\(version) \(String(cString: tls))", endsQuickly: isQuick,
                authorities: authorities(table)))
    }

    /// CURLINFO_CAINFO of a fresh handle (7.84); an older library answers with an error.
    private static func authorities(_ table: UnsafePointer<freshet_curl>) -> String? {
        guard let easy = table.pointee.easy_init() else { return nil }
        defer { table.pointee.easy_cleanup(easy) }
        var path: UnsafePointer<CChar>?
        guard freshet_curl_get(table, easy, CInt(FRESHET_CURL_INFO_CAINFO), &path) == 0,
            let path, access(path, R_OK) == 0
        else { return nil }
        return String(cString: path)
    }

    /// The options that are set, as the library must know them.
    private static let optionNumbers: [(String, CInt)] = [
        ("NOBODY", CInt(FRESHET_CURL_NOBODY)), ("POST", CInt(FRESHET_CURL_POST)),
        ("FOLLOWLOCATION", CInt(FRESHET_CURL_FOLLOWLOCATION)),
        ("FRESH_CONNECT", CInt(FRESHET_CURL_FRESH_CONNECT)),
        ("HTTP_VERSION", CInt(FRESHET_CURL_HTTP_VERSION)),
        ("BUFFERSIZE", CInt(FRESHET_CURL_BUFFERSIZE)),
        ("NOSIGNAL", CInt(FRESHET_CURL_NOSIGNAL)),
        ("CONNECTTIMEOUT_MS", CInt(FRESHET_CURL_CONNECTTIMEOUT_MS)),
        ("PROTOCOLS", CInt(FRESHET_CURL_PROTOCOLS)),
        ("TCP_KEEPALIVE", CInt(FRESHET_CURL_TCP_KEEPALIVE)),
        ("PATH_AS_IS", CInt(FRESHET_CURL_PATH_AS_IS)),
        ("SUPPRESS_CONNECT_HEADERS", CInt(FRESHET_CURL_SUPPRESS_CONNECT_HEADERS)),
        ("DISALLOW_USERNAME_IN_URL", CInt(FRESHET_CURL_DISALLOW_USERNAME_IN_URL)),
        ("HTTP09_ALLOWED", CInt(FRESHET_CURL_HTTP09_ALLOWED)),
        ("QUICK_EXIT", CInt(FRESHET_CURL_QUICK_EXIT)),
        ("WRITEDATA", CInt(FRESHET_CURL_WRITEDATA)), ("URL", CInt(FRESHET_CURL_URL)),
        ("PROXY", CInt(FRESHET_CURL_PROXY)), ("NOPROXY", CInt(FRESHET_CURL_NOPROXY)),
        ("READDATA", CInt(FRESHET_CURL_READDATA)), ("SEEKDATA", CInt(FRESHET_CURL_SEEKDATA)),
        ("READFUNCTION", CInt(FRESHET_CURL_READFUNCTION)),
        ("SEEKFUNCTION", CInt(FRESHET_CURL_SEEKFUNCTION)),
        ("ERRORBUFFER", CInt(FRESHET_CURL_ERRORBUFFER)),
        ("HTTPHEADER", CInt(FRESHET_CURL_HTTPHEADER)), ("SSLCERT", CInt(FRESHET_CURL_SSLCERT)),
        ("HEADERDATA", CInt(FRESHET_CURL_HEADERDATA)),
        ("CUSTOMREQUEST", CInt(FRESHET_CURL_CUSTOMREQUEST)),
        ("CAINFO", CInt(FRESHET_CURL_CAINFO)), ("SSLKEY", CInt(FRESHET_CURL_SSLKEY)),
        ("CAPATH", CInt(FRESHET_CURL_CAPATH)),
        ("ACCEPT_ENCODING", CInt(FRESHET_CURL_ACCEPT_ENCODING)),
        ("PRIVATE", CInt(FRESHET_CURL_PRIVATE)),
        ("OPENSOCKETDATA", CInt(FRESHET_CURL_OPENSOCKETDATA)),
        ("COPYPOSTFIELDS", CInt(FRESHET_CURL_COPYPOSTFIELDS)),
        ("UNIX_SOCKET_PATH", CInt(FRESHET_CURL_UNIX_SOCKET_PATH)),
        ("UPLOAD_BUFFERSIZE", CInt(FRESHET_CURL_UPLOAD_BUFFERSIZE)),
        ("PROXY_CAINFO", CInt(FRESHET_CURL_PROXY_CAINFO)),
        ("PROXY_CAPATH", CInt(FRESHET_CURL_PROXY_CAPATH)),
        ("PREREQDATA", CInt(FRESHET_CURL_PREREQDATA)),
        ("WRITEFUNCTION", CInt(FRESHET_CURL_WRITEFUNCTION)),
        ("HEADERFUNCTION", CInt(FRESHET_CURL_HEADERFUNCTION)),
        ("OPENSOCKETFUNCTION", CInt(FRESHET_CURL_OPENSOCKETFUNCTION)),
        ("PREREQFUNCTION", CInt(FRESHET_CURL_PREREQFUNCTION)),
        ("POSTFIELDSIZE_LARGE", CInt(FRESHET_CURL_POSTFIELDSIZE_LARGE)),
    ]
}
