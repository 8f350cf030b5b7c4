import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetJSON
import FreshetLive
import FreshetQuery
import FreshetRefresh

/// The rows of `_tokens`: who may come in, what each may do, and how often it has. They are looked at
/// once a second: a reload, a use and the passing of time tell nothing of themselves.
final class TokenRows: SystemProvider {
    /// The row of a caller without a token; no token has this name (AccessForm).
    private static let anonymous = AccessSettings.anonymousName

    let type = SystemType.tokens
    private let access: AccessControl
    private let configuration: ConfigurationRecord

    init(_ access: AccessControl, _ configuration: ConfigurationRecord) {
        self.access = access
        self.configuration = configuration
    }

    func ids() -> [EntityID] { access.bearers.map(\.rowID) + [access.anonymous.rowID] }

    func append(_ id: EntityID, _ texts: TextBound, to body: inout ByteBuffer) -> Bool {
        let caller =
            id.text == Self.anonymous
            ? access.anonymous : access.bearers.first { $0.rowID == id }
        guard let caller else { return false }
        let mask = configuration.current.settings.mask.hiding(caller.claims)
        func append(_ rights: AccessRights.OfType, _ body: inout ByteBuffer) {
            body.append("{")
            body.member("read", rows: rights.read, mask, texts)
            body.member("write", rows: rights.write, mask, texts)
            body.member("level", rights.level.rawValue)
            body.append("}")
        }
        body.append("{")
        body.member("id", id.text)
        body.member("subject", caller.subject.map { texts.cut(mask.masked($0)) })
        body.member("claims")
        mask.masked(caller.claims ?? .object([])).write(to: &body)
        body.member("admin", caller.rights.isAdmin)
        body.member("expires", caller.expires)
        body.member("expired", caller.hasExpired(at: .now))
        body.member("types")
        body.append("{")
        for (type, rights) in caller.rights.byType {
            if body.bytes.last != UInt8(ascii: "{") { body.append(UInt8(ascii: ",")) }
            body.append(jsonName: type.text)
            append(rights, &body)
        }
        body.append("}")
        body.member("others", caller.rights.others) { append($0, &$1) }
        body.member("uses", caller.use.count)
        body.member("lastUsedAt", caller.use.lastAt)
        body.append("}")
        return true
    }
}

extension Caller {
    /// The token's name as the id of a row.
    fileprivate var rowID: EntityID {
        do { return try EntityID(isNamed ? name : AccessSettings.anonymousName) } catch {
            preconditionFailure("a token's name is an id")
        }
    }
}

extension ByteBuffer {
    /// Appends `true`, `false` or the rule's text, its secrets masked.
    fileprivate mutating func member(
        _ name: StaticString, rows: AccessRights.Rows, _ mask: ConfigurationMask, _ texts: TextBound
    ) {
        switch rows {
        case .none: member(name, false)
        case .all: member(name, true)
        case .some(let rule): member(name, texts.cut(mask.masked(rule.filter.description)))
        }
    }
}
