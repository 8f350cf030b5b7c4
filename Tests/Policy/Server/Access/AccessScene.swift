import FreshetBase
@testable import FreshetConfig
import FreshetCore
import FreshetJSON
import FreshetStore
import Testing

@testable import FreshetServer

/// `access` as a configuration file has it, `@NAME` standing for the digest of the token NAME.
enum AccessScene {
    static let tokens = ["reader", "writer", "blue", "root", "mute"]

    /// One of each kind: reads all, writes all, rules by team, administers, may do nothing.
    static let standard = #"""
        {"anonymous": {"open": {"read": true}},
         "tokens": [
          {"name": "reader", "sha256": "@reader", "types": {"*": {"read": true}}},
          {"name": "writer", "sha256": "@writer", "types": {"*": {"read": true, "write": true}}},
          {"name": "blue", "sha256": "@blue", "claims": {"team": "blue", "most": 5},
           "types": {"task": {"read": "team == $claims.team or owner == $subject",
                              "write": "team == $claims.team and rank <= $claims.most"},
                     "note": {"read": "team == $claims.team", "write": true}}},
          {"name": "root", "sha256": "@root", "admin": true},
          {"name": "mute", "sha256": "@mute"}
         ]}
        """#

    static func settings(_ text: String) throws -> AccessSettings {
        var reading = Reading()
        let value = try JSONValue.parse(Array(withDigests(text).utf8))
        let settings = AccessSettings.form.read(value, JSONPointer(), &reading)
        #expect(reading.faults.map(\.detail) == [])
        return try #require(settings)
    }

    /// `text` with the digests in place.
    static func withDigests(_ text: String) -> String {
        var text = text
        for name in tokens {
            text = text.split(separator: "@\(name)", omittingEmptySubsequences: false).joined(
                separator: SHA256Digest(of: token(name)).hexadecimal)
        }
        return text
    }

    static func token(_ name: String) -> String { "secret-of-\(name)-0123456789" }

    static func bearer(_ name: String) -> String { "Authorization: Bearer \(token(name))" }

    static func server(
        _ text: String = standard, _ change: (inout ServeSettings) -> Void = { _ in }
    ) throws -> TestServer {
        let access = try settings(text)
        return try TestServer {
            $0.access = access
            change(&$0)
        }
    }
}

extension TestServer {
    /// One request by the bearer of the token `name`; nil: nobody in particular.
    func ask(
        _ name: String?, _ method: String, _ target: String, _ body: String? = nil,
        headers: [String] = []
    ) throws -> TestResponse {
        try send(
            method, target, body, headers: headers + (name.map { [AccessScene.bearer($0)] } ?? []))
    }
}

extension TestResponse {
    /// What a client can tell answers apart by: all but the request's id and the date.
    /// The same but for the id that the request named.
    func tellingParts(naming id: Int) -> String {
        tellingParts.replacing("'\(id)'", with: "'ID'").replacing("/\(id) ", with: "/ID ")
    }

    var tellingParts: String {
        var text = "\(status)\n"
        for header in headers where !["date", "x-request-id"].contains(header.name.lowercased()) {
            text += "\(header.name): \(header.value)\n"
        }
        guard let start = body.range(of: "\"requestId\":\"") else { return text + body }
        let end = body[start.upperBound...].firstIndex(of: "\"") ?? body.endIndex
        return text + body[..<start.lowerBound] + body[end...]
    }
}

extension String {
    /// The place of `part`, without Foundation.
    fileprivate func range(of part: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(part) {
                return start..<index(start, offsetBy: part.count)
            }
            start = index(after: start)
        }
        return nil
    }
}
