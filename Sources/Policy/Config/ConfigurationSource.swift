import FreshetCore

import FreshetBase
import FreshetJSON
import FreshetQuery
import FreshetRemote
import FreshetStore
import Glibc

/// Where settings come from: flags over environment over file over default.
///
/// It is kept as it was given, so that a SIGHUP reads the file anew under the same flags.
package struct ConfigurationSource: Sendable {
    /// One setting as it holds, and what gave it its value.
    package struct Effective: Sendable {
        package let setting: Setting
        package let value: Setting.Value
        package let origin: Setting.Origin
        /// `--listen`, `FRESHET_LISTEN`, `freshet.json`, or `default`.
        package let originText: String
    }

    /// What came out, faults or not; where a layer is faulty the next lower one holds.
    package struct Resolution: Sendable {
        package let settings: ServeSettings
        package let effective: [Effective]
        package let faults: [ConfigurationFault]
        /// Variables of the environment that the file takes secrets from.
        package let variables: Set<String>
    }

    private let flags: [String: [String]]
    package let environment: [String: String]
    /// The file, or nil for none.
    package let path: String?
    /// Names of run specifications that the embedding program brings.
    package var specifications: Set<String> = []
    /// What stands for the file's content, where there is no file.
    private let content: [UInt8]?

    /// - Parameter flags: Values by flag without dashes; a flag without a value is `"true"`.
    /// - Parameter environment: The process's variables; those that are no setting are ignored
    ///   here, and `UnknownVariables` tells of them.
    /// - Parameter content: What a file would hold; it is read where `path` is nil.
    package init(
        flags: [String: [String]], environment: [String: String], path: String?,
        content: [UInt8]? = nil
    ) {
        self.flags = flags
        self.environment = environment
        self.path = path
        self.content = content
    }

    /// Reads the file, if there is one, and puts the layers together.
    ///
    /// - Throws: every fault at once.
    package func load() throws(ConfigurationError) -> ServeSettings {
        let resolution = resolve()
        guard resolution.faults.isEmpty else {
            throw ConfigurationError(faults: resolution.faults)
        }
        return resolution.settings
    }

    /// Reads the settings as `load` does, and goes on behind faults.
    package func resolve() -> Resolution {
        var faults: [ConfigurationFault] = []
        let file = readFile(faults: &faults)
        var effective: [Effective] = []
        var values: [Setting.Key: (value: Setting.Value, origin: Setting.Origin)] = [:]
        for setting in Setting.all {
            let fromFlag = flag(setting, faults: &faults)
            let fromEnvironment = variable(setting, faults: &faults)
            let fromFile = file.values[setting.key]
            let entry: Effective
            if let value = fromFlag {
                entry = .init(
                    setting: setting, value: value, origin: .flag,
                    originText: "--\(setting.flag)")
            } else if let value = fromEnvironment {
                entry = .init(
                    setting: setting, value: value, origin: .environment,
                    originText: setting.environment)
            } else if let value = fromFile {
                entry = .init(
                    setting: setting, value: value, origin: .file, originText: path ?? "file")
            } else {
                entry = .init(
                    setting: setting, value: setting.standard, origin: .standard,
                    originText: "default")
            }
            effective.append(entry)
            values[setting.key] = (entry.value, entry.origin)
        }
        let resolved = ResolvedValues(values: values)
        var settings = ServeSettings(source: self)
        for entry in effective { entry.setting.fill(&settings, entry.value) }
        settings.storage = storage(resolved, faults: &faults)
        if settings.storage == .memory { settings.durability = .memory }
        settings.types = file.types
        settings.access = file.access
        settings.digest = file.digest
        settings.effective = effective
        settings.sections = file.sections
        settings.mask = file.mask
        settings.upstreams = file.upstreams.map(\.settings)
        settings.credentials = Dictionary(
            uniqueKeysWithValues: file.upstreams.compactMap { upstream in
                upstream.credential.map { (upstream.settings.name, $0) }
            })
        settings.remotes = file.remotes
        settings.operations = file.operations
        settings.cluster.take(file.cluster)
        checkAccess(settings, resolved, faults: &faults)
        checkDurability(settings, faults: &faults)
        checkCluster(settings, resolved, faults: &faults)
        return Resolution(
            settings: settings, effective: effective, faults: faults,
            variables: file.variables)
    }

    // MARK: The layers

    private func readFile(faults: inout [ConfigurationFault]) -> ConfigurationFile {
        guard let path else {
            guard let content else { return ConfigurationFile() }
            return ConfigurationFile.read(
                content, path: "configuration", environment: environment,
                specifications: specifications, faults: &faults)
        }
        let bytes: [UInt8]
        switch ConfigurationFile.bytes(ofFile: path) {
        case .success(let content): bytes = content
        case .failure(let failure):
            faults.append(failure.fault)
            return ConfigurationFile()
        }
        return ConfigurationFile.read(
            bytes, path: path, environment: environment, specifications: specifications,
            faults: &faults)
    }

    private func flag(
        _ setting: Setting, faults: inout [ConfigurationFault]
    ) -> Setting.Value? {
        guard let texts = flags[setting.flag], let last = texts.last else { return nil }
        do {
            return try setting.value(ofTexts: setting.isList ? texts : [last])
        } catch {
            faults.append(.init(place: .flag("--\(setting.flag)"), expected: error.expected))
            return nil
        }
    }

    private func variable(
        _ setting: Setting, faults: inout [ConfigurationFault]
    ) -> Setting.Value? {
        guard let text = environment[setting.environment], !text.isEmpty else { return nil }
        let texts =
            setting.isList
            ? text.split(separator: ",").map { String($0.trimmingSpaces()) } : [text]
        do {
            return try setting.value(ofTexts: texts)
        } catch {
            faults.append(
                .init(place: .environment(setting.environment), expected: error.expected))
            return nil
        }
    }

    // MARK: What goes together

    /// Memory or a directory: whichever was asked for in the higher layer.
    private func storage(
        _ values: ResolvedValues, faults: inout [ConfigurationFault]
    ) -> ServeSettings.Storage {
        var memory: (key: Setting.Key, origin: Setting.Origin)?
        if values.flag(.memory) { memory = (.memory, values.origin(.memory)) }
        if values.text(.durability) == "memory", values.origin(.durability) > .standard,
            memory == nil || values.origin(.durability) > memory?.origin ?? .standard
        {
            memory = (.durability, values.origin(.durability))
        }
        let directory = ServeSettings.Storage.directory(values.text(.data))
        guard let memory else { return directory }
        // A durability that memory has not.
        let promised = values.origin(.durability)
        if memory.key == .memory, promised > .standard, values.text(.durability) != "memory" {
            if promised > memory.origin { return directory }
            if promised == memory.origin {
                faults.append(
                    .init(
                        place: place(memory.key, memory.origin),
                        expected: "a durability is given as well, which memory has not; give one of"
                            + " the two"))
                return .memory
            }
        }
        let dataOrigin = values.origin(.data)
        if dataOrigin == .standard || dataOrigin < memory.origin { return .memory }
        if dataOrigin > memory.origin { return directory }
        faults.append(
            .init(
                place: place(memory.key, memory.origin),
                expected: "a data directory is given as well; give one of the two"))
        return .memory
    }

    /// A type can ask for more than the server promises, not for less.
    private func checkDurability(
        _ settings: ServeSettings, faults: inout [ConfigurationFault]
    ) {
        for type in settings.types {
            let expected: String
            switch (type.durability, settings.durability) {
            case (nil, _), (.full, .full), (.full, .relaxed), (.relaxed, .relaxed): continue
            case (_, .memory): expected = "the server keeps everything in memory"
            case (.relaxed, .full):
                expected =
                    "a type can be kept better than the server's \"durability\", not worse:"
                    + " expected \"full\""
            }
            let pointer = JSONPointer(tokens: ["types", type.name, "durability"]).description
            faults.append(
                .init(
                    place: .file(path ?? "configuration", pointer: pointer), expected: expected))
        }
    }

    /// Nobody opens a service without access rules to the network by accident.
    private func checkAccess(
        _ settings: ServeSettings, _ values: ResolvedValues,
        faults: inout [ConfigurationFault]
    ) {
        guard settings.isUnguarded, !SettingText.isLoopback(settings.host) else { return }
        faults.append(
            .init(
                place: place(.listen, values.origin(.listen)),
                expected: Self.exposure(of: settings.address)))
    }

    /// Why a server does not listen there.
    package static func exposure(of address: String) -> String {
        "\(address) can be reached from other machines and the configuration has no \"access\":"
            + " write one, add --open to let everybody in, or listen on 127.0.0.1"
    }

    /// What a cluster cannot be without, and what cannot be together with one.
    private func checkCluster(
        _ settings: ServeSettings, _ values: ResolvedValues, faults: inout [ConfigurationFault]
    ) {
        let cluster = settings.cluster
        func fault(_ key: Setting.Key, _ expected: String) {
            faults.append(.init(place: place(key, values.origin(key)), expected: expected))
        }
        guard cluster.isOn else {
            for key in [Setting.Key.replica, .advertise] where values.origin(key) > .standard {
                fault(key, "the log of the cluster as well: --cluster-log URL")
            }
            return
        }
        if TypeName(cluster.replica) == nil {
            fault(
                .replica,
                "the name of this server, a letter, then at most 63 letters, digits, _ or -:"
                    + " --replica NAME")
        }
        if UpstreamBase(cluster.advertise) == nil {
            fault(
                .advertise,
                "where the other servers reach this one: --advertise http://HOST:PORT")
        }
        let expected = "nothing of the kind beside --cluster-log: what servers share is synced"
        if settings.access != nil, cluster.secret == nil {
            fault(
                .clusterLog,
                "beside \"access\" a secret, by which the servers prove themselves to each other:"
                    + " \"cluster\": {\"secret\": {\"env\": NAME}}")
        }
        if settings.storage == .memory { fault(.memory, expected) }
        if settings.durability != .full { fault(.durability, expected) }
        for name in settings.credentials.keys.sorted()
        where settings.credentials[name]?.keepsToken == true {
            fault(
                .clusterLog,
                "no \"persist\" of the credential of '\(name)' in a cluster: the server that leads next"
                    + " does not have what another one keeps")
        }
    }

    private func place(_ key: Setting.Key, _ origin: Setting.Origin) -> ConfigurationFault.Place {
        let setting = Setting.setting(key)
        switch origin {
        case .environment: return .environment(setting.environment)
        case .file:
            var pointer = JSONPointer()
            for name in setting.path { pointer = pointer.appending(name) }
            return .file(path ?? "", pointer: pointer.description)
        case .flag, .standard: return .flag("--\(setting.flag)")
        }
    }
}

/// The chosen values by key, with their forms taken for granted: the table gives each key one.
struct ResolvedValues {
    let values: [Setting.Key: (value: Setting.Value, origin: Setting.Origin)]

    func origin(_ key: Setting.Key) -> Setting.Origin { values[key]?.origin ?? .standard }

    func value(_ key: Setting.Key) -> Setting.Value {
        values[key]?.value ?? Setting.setting(key).standard
    }

    func flag(_ key: Setting.Key) -> Bool { value(key) == .flag(true) }

    func text(_ key: Setting.Key) -> String {
        if case .text(let text) = value(key) { return text }
        return ""
    }
}

extension Substring {
    func trimmingSpaces() -> Substring {
        var result = drop { $0 == " " }
        while result.last == " " { result.removeLast() }
        return result
    }
}
