import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetStore

extension FreshetService {
    /// `GET /v1/_service`: what this server is and how much of everything it takes; to administrators
    /// also where it runs, and by which configuration, without its secrets.
    func describeService(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        try call.checkPlainJSON()
        let isAdmin = call.reply.rights?.isAdmin ?? true
        call.reply.json(&response, isKept: false) { body in
            body.append("{")
            body.member("service", "freshet")
            body.member("version", BuildInfo.current.version)
            body.member("started", configuration.startedAt)
            body.member("uptimeSeconds", Int(configuration.uptime / .seconds(1)))
            body.member("epoch", core.store.cursor.epoch.description)
            body.member("durability", configuration.start.durability.name)
            body.member("access", access.isOn)
            body.member("limits")
            configuration.start.appendLimits(to: &body)
            body.member("features", each: configuration.features) { $1.append(jsonString: $0) }
            if isAdmin { appendPlace(to: &body) }
            body.append("}")
        }
    }

    private func appendPlace(to body: inout ByteBuffer) {
        body.member("host", HostName.current)
        body.member("listen", configuration.address)
        body.member("loops", configuration.loops)
        body.member("active", core.operations.isServiceActive)
        let current = configuration.current
        body.member("configuration")
        body.append("{")
        body.member("file", current.settings.source.path)
        body.member("digest", current.settings.digest)
        body.member("loadedAt", current.loadedAt)
        body.member("lastReload", current.lastReload) { $0.append(to: &$1) }
        body.member("settings", each: current.settings.effective) { $0.json.write(to: &$1) }
        body.member("sections")
        current.settings.sections.write(to: &body)
        body.append("}")
    }
}

extension ServeSettings {
    /// Appends the limits by their names in the configuration: bytes, milliseconds, numbers.
    fileprivate func appendLimits(to body: inout ByteBuffer) {
        let group = "limits."
        body.append("{")
        for entry in effective where entry.setting.key.rawValue.hasPrefix(group) {
            guard let number = entry.value.number else { continue }
            if body.bytes.last != UInt8(ascii: "{") { body.append(UInt8(ascii: ",")) }
            body.append(jsonName: String(entry.setting.key.rawValue.dropFirst(group.count)))
            body.append(decimal: number)
        }
        body.append("}")
    }
}

extension Setting.Value {
    /// The bytes, milliseconds or things.
    fileprivate var number: Int? {
        switch self {
        case .bytes(let number), .milliseconds(let number), .count(let number): number
        case .flag, .text, .address, .list: nil
        }
    }
}

extension ConfigurationRecord.Reload {
    /// Appends `{"at","applied","faults":[{"place","expected"}],"waits":[…]}`.
    fileprivate func append(to body: inout ByteBuffer) {
        body.append("{")
        body.member("at", at)
        body.member("applied", faults.isEmpty)
        body.member("faults", each: faults) { fault, body in
            body.append("{")
            body.member("place", fault.place.description)
            body.member("expected", fault.expected)
            body.append("}")
        }
        body.member("waits", each: waits) { $1.append(jsonString: $0) }
        body.append("}")
    }
}
