@testable import FreshetHTTPClient
import Testing

@Suite("What libcurl's codes say of a request")
struct HTTPFaultTests {
    @Test(
        "An alert behind a request says that it was not done only where it refuses a certificate",
        arguments: [
            ("OpenSSL SSL_read: tlsv13 alert certificate required, errno 0", true),
            ("OpenSSL SSL_read: tlsv1 alert unknown ca, errno 0", true),
            ("GnuTLS recv error: CA is unknown", true),
            ("OpenSSL SSL_read: sslv3 alert internal error, errno 0", false),
            ("OpenSSL SSL_read: tlsv1 alert user cancelled, errno 0", false),
            ("Connection reset by peer", false),
        ])
    func alerts(_ text: String, refuses: Bool) {
        for code: CInt in [55, 56] {
            let fault = HTTPFault(code, text, wasSent: false, maySendAgain: false)
            #expect(fault == .unreachable(refuses ? .tls : .lost, detail: text))
        }
    }

    /// Whoever asks repeats what was refused, reset or had other reasons.
    @Test(
        "A request that was sent and is not repeatable is made again behind no code",
        arguments: CInt(1)...130)
    func sent(_ code: CInt) {
        switch HTTPFault(code, "", wasSent: true, maySendAgain: false) {
        case .timeout, .unreachable(.lost, _), .unreachable(.tls, _): break
        case let other: Issue.record("\(code): \(other)")
        }
    }
}
