import FreshetBase
import FreshetCore
import FreshetJSON
import FreshetRefresh
import FreshetQuery
import FreshetRemote
import FreshetStore
import Glibc

/// The configuration file: one JSON object, whose members are those of `table`.
struct ConfigurationFile {
    var values: [Setting.Key: Setting.Value] = [:]
    var types: [TypeSchema] = []
    var access: AccessSettings?
    /// The upstreams in the order of the file; those with faults are left out.
    var upstreams: [UpstreamDeclaration] = []
    var remotes: [RemoteMapping] = []
    var operations = OperationsConfiguration()
    /// What is no setting of it.
    var cluster = ClusterSettings()
    /// A digest of `types` and `access`, "" where the file has neither.
    var digest = ""
    /// Variables that secrets are taken from.
    var variables: Set<String> = []
    /// The members that are no settings, without their secrets.
    var sections = JSONValue.object([])
    var mask = ConfigurationMask([])

    static let maximumBytes = 16 << 20

    /// Reads `bytes`; what is faulty is left out of the result and noted.
    ///
    /// - Parameters:
    ///   - environment: Where secrets are.
    ///   - specifications: Names that the embedding program gives to its own.
    static func read(
        _ bytes: [UInt8], path: String, environment: [String: String] = [:],
        specifications: Set<String> = [], faults: inout [ConfigurationFault]
    ) -> ConfigurationFile {
        let root: JSONValue
        do {
            root = try JSONValue.parse(bytes)
        } catch {
            let (line, column) = position(of: error.offset, in: bytes)
            faults.append(
                .init(
                    place: .text(path, line: line, column: column),
                    expected: "no valid JSON: \(error.expectation)"))
            return ConfigurationFile()
        }
        var reading = Reading()
        reading.environment = environment
        func names(_ member: String) -> [String] { root[member]?.objectValue?.map(\.name) ?? [] }
        reading.upstreams = names("upstreams")
        reading.declaredTypes = names("types")
        reading.names.conditions = Set(names("conditions"))
        reading.names.specs = Set(names("specs")).union(specifications)
        reading.names.upstreams = Set(reading.upstreams)
        reading.names.operations = Set(names("operations"))
        reading.mutations = Set(
            (root["operations"]?.objectValue ?? [])
                .filter { $0.value["kind"]?.stringValue == "mutation" }.map(\.name))
        var file = ConfigurationFile()
        _ = table.read(root, JSONPointer(), into: &file, &reading)
        file.operations.names = reading.names
        file.digest = digest(of: root) ?? ""
        file.variables = Secret.variables(in: root)
        file.mask = ConfigurationMask(reading.secrets)
        file.sections = file.mask.sections(of: root)
        faults += reading.faults.map {
            ConfigurationFault(place: .file(path, pointer: $0.pointer), expected: $0.detail)
        }
        return file
    }

    private static func digest(of root: JSONValue) -> String? {
        let parts = ["types", "access"].compactMap { root[$0] }
        guard !parts.isEmpty else { return nil }
        return SHA256Digest(of: "\(parts)").hexadecimal
    }

    // MARK: The members

    static let table: ObjectTable<ConfigurationFile> = {
        let alone = Setting.all.filter { $0.path.count == 1 }.map { row($0.path[0], of: $0) }
        let cors = ObjectTable([row("origins", of: .setting(.allowOrigins))])
        return ObjectTable(
            [
                Member("$schema", "where the schema of this file is, for editors", .text()) {
                    _, _ in
                }
            ]
                + alone + groups(in: []) + [
                    Member("cors", "pages of other origins", into: \.self, cors)
                ]
                + sections)
    }()

    /// The objects of settings that stand in the one at `path`, with what else is in them.
    private static func groups(in path: [String]) -> [Member<ConfigurationFile>] {
        Setting.groups.compactMap { group in
            let place = group.name.split(separator: ".").map(String.init)
            guard Array(place.dropLast()) == path, let name = place.last else { return nil }
            let settings = Setting.all.filter { $0.path.dropLast().elementsEqual(place) }
            return Member(
                name, group.text, into: \ConfigurationFile.self,
                ObjectTable(
                    settings.map { row($0.path[place.count], of: $0) } + groups(in: place)
                        + (ClusterSettings.members[group.name] ?? [])))
        }
    }

    private static let sections: [Member<ConfigurationFile>] = [
        Member(
            "types",
            schema: TypeDeclaration.all.schema.described("the declared types by name")
        ) { value, place, file, reading in
            let found = TypeDeclaration.all.read(value, place, &reading) ?? []
            file.types = found.compactMap { $0.schema }
            file.remotes = found.compactMap { $0.remote }
            reading.types = file.types
            reading.remotes = file.remotes
        },
        Member(
            "upstreams", "the services that entities come from, by name",
            UpstreamDeclaration.all, to: \.upstreams),
        Member(
            "conditions", "named flags that specifications read and people set",
            ConditionDeclaration.all, to: \.operations.conditions),
        Member("specs", "run specifications by name", NamedSpecs.form, to: \.operations.specs),
        Member(
            "operations", "what is read from remotes, when and how, by name",
            OperationDeclaration.all, to: \.operations.operations),
        Member(
            "access", "who may do what; without it everybody may do everything",
            AccessSettings.form, to: \.access),
        // The contract names it, and a later version brings it.
        Member("credentials", schema: nil) { _, place, _, reading in
            reading.note("not-implemented", "not implemented yet in this version", at: place)
        },
    ]

    /// A setting's member, in the first of its places or in the other.
    private static func row(_ name: String, of setting: Setting) -> Member<ConfigurationFile> {
        Member(name, schema: setting.schema) { json, place, file, reading in
            guard file.values[setting.key] == nil else {
                reading.note(
                    "value",
                    "\"\(setting.path.joined(separator: "."))\" says the same already; leave one"
                        + " of the two out", at: place)
                return
            }
            do throws(SettingMismatch) {
                file.values[setting.key] = try setting.value(of: json)
            } catch {
                reading.note("value", error.expected, at: place)
            }
        }
    }

    /// The file's bytes, or one sentence about why they cannot be had.
    static func bytes(ofFile path: String) -> Result<[UInt8], ReadFault> {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return .failure(.init(path, errno)) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        let chunk = 64 << 10
        while bytes.count <= maximumBytes {
            var failure: CInt = 0
            let part = [UInt8](unsafeUninitializedCapacity: chunk) { buffer, count in
                var result = Glibc.read(descriptor, buffer.baseAddress, chunk)
                while result < 0 && errno == EINTR {
                    result = Glibc.read(descriptor, buffer.baseAddress, chunk)
                }
                if result < 0 { failure = errno }
                count = max(0, result)
            }
            guard failure == 0 else { return .failure(.init(path, failure)) }
            if part.isEmpty { return .success(bytes) }
            bytes += part
        }
        return .failure(ReadFault(path: path, reason: "expected at most 16 MiB"))
    }

    /// Line and column, both from 1, of the byte at `offset`.
    static func position(of offset: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
        var line = 1
        var column = 1
        for byte in bytes.prefix(offset) {
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else {
                column += 1
            }
        }
        return (line, column)
    }
}

/// Why a file could not be read.
struct ReadFault: Error {
    let path: String
    let reason: String

    init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    init(_ path: String, _ code: CInt) {
        self.path = path
        reason = "cannot be read: \(String(cString: strerror(code)))"
    }

    var fault: ConfigurationFault {
        ConfigurationFault(place: .file(path, pointer: ""), expected: reason)
    }
}
