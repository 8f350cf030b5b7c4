import FreshetCore
import FreshetHTTPClient
import FreshetJSON
import FreshetRemote

/// Reads how an upstream is reached: `tls`, `proxy`, `connectTimeout`, `denyPrivate`,
/// `allowLinkLocal`.
enum RouteReader {
    static func route(
        _ reader: inout MemberReader, faults: inout [SchemaFault]
    ) -> HTTPRoute {
        var route = HTTPRoute()
        if reader.bool("allowLinkLocal", faults: &faults) == true { route.refused = [] }
        if let time = reader.time("connectTimeout", in: 1...600_000, faults: &faults) {
            route.connectMilliseconds = Int(time / .milliseconds(1))
        }
        route.proxy = proxy(&reader, faults: &faults)
        if reader.bool("denyPrivate", faults: &faults) == true {
            route.refused.insert(.privateUse)
            if route.proxy != nil {
                faults.expected(
                    "no \"denyPrivate\" beside \"proxy\": it is the proxy that connects to addresses",
                    at: reader.pointer.appending("denyPrivate"))
            }
        }
        if let value = reader.value("tls"),
            var tls = MemberReader(value, at: reader.pointer.appending("tls"), faults: &faults)
        {
            route.roots = file("roots", &tls, faults: &faults)
            route.certificate = file("certificate", &tls, faults: &faults)
            route.key = file("key", &tls, faults: &faults)
            if (route.certificate == nil) != (route.key == nil) {
                faults.expected("\"certificate\" and \"key\" together", at: tls.pointer)
            }
            tls.finish(faults: &faults)
        }
        return route
    }

    static let proxyExpectation =
        "the address of a proxy such as \"http://proxy.example.org:3128\", without a path and"
        + " without a user"

    private static func proxy(
        _ reader: inout MemberReader, faults: inout [SchemaFault]
    ) -> String? {
        guard let text = reader.string("proxy", faults: &faults) else { return nil }
        guard let base = UpstreamBase(text), base.path.isEmpty else {
            faults.expected(proxyExpectation, at: reader.pointer.appending("proxy"))
            return nil
        }
        return base.origin
    }

    /// A file of PEM; what is in it libcurl finds out when it connects, each time it has changed.
    private static func file(
        _ name: String, _ reader: inout MemberReader, faults: inout [SchemaFault]
    ) -> String? {
        guard let path = reader.string(name, faults: &faults) else { return nil }
        switch ConfigurationFile.bytes(ofFile: path) {
        case .success(let bytes) where bytes.contains("-----BEGIN "): return path
        case .success:
            faults.expected("a file in PEM", at: reader.pointer.appending(name))
        case .failure(let fault):
            faults.expected(
                "a file that can be read; it \(fault.reason)", at: reader.pointer.appending(name))
        }
        return nil
    }
}

extension [UInt8] {
    fileprivate func contains(_ text: String) -> Bool { firstRange(of: Array(text.utf8)) != nil }
}
