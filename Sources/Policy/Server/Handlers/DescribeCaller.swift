import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetQuery

extension FreshetService {
    /// `GET /v1/_access/me`: who asks, and what the caller may do. Rules are named as such; their
    /// text is the administrator's.
    func describeCaller(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        try call.checkPlainJSON()
        let caller = call.reply.caller
        call.reply.json(&response, isKept: false) { body in
            let rights = caller?.rights ?? .everything
            body.append("{")
            body.member("name", caller?.name ?? "")
            body.member("subject", caller?.subject)
            // No roles are declared in this version.
            body.member("role", String?.none)
            body.member("claims")
            configuration.current.settings.mask.masked(caller?.claims ?? .object([]))
                .write(to: &body)
            body.member("admin", rights.isAdmin)
            body.member("open", caller == nil)
            body.member("expires", caller?.expires)
            body.member("types")
            body.append("{")
            for (type, rights) in rights.byType {
                if body.bytes.last != UInt8(ascii: "{") { body.append(UInt8(ascii: ",")) }
                body.append(jsonName: type.text)
                rights.append(to: &body)
            }
            body.append("}")
            body.member("others", rights.others) { $0.append(to: &$1) }
            body.append("}")
        }
    }
}

extension AccessRights.OfType {
    /// Appends `{"read":true|false|"rule","write":…,"level":"none|local|remote"}`.
    fileprivate func append(to body: inout ByteBuffer) {
        body.append("{")
        for (name, rows): (StaticString, AccessRights.Rows) in [("read", read), ("write", write)] {
            switch rows {
            case .none: body.member(name, false)
            case .all: body.member(name, true)
            case .some: body.member(name, "rule")
            }
        }
        body.member("level", level.rawValue)
        body.append("}")
    }
}
