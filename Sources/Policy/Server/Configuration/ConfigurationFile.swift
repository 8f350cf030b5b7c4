import FreshetBase
import FreshetCore
import FreshetJSON
import FreshetRemote
import Glibc

/// The configuration file: one JSON object whose members are the settings' and `types`.
struct ConfigurationFile {
    var values: [Setting.Key: Setting.Value] = [:]
    var types: [TypeSchema] = []
    var access: AccessSettings?
    /// In the order of the file; those with faults are left out.
    var upstreams: [UpstreamDeclaration] = []
    var remotes: [RemoteMapping] = []
    var operations = OperationsConfiguration()
    /// Of `types` and `access`, "" where the file has neither.
    var digest = ""
    /// Variables that secrets are taken from.
    var variables: Set<String> = []

    /// Members that the contract names and later versions bring.
    static let later = ["credentials"]
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
        var noted: [SchemaFault] = []
        var file = read(root, environment, specifications, faults: &noted)
        file.variables = Secret.variables(in: root)
        for fault in noted {
            faults.append(
                .init(place: .file(path, pointer: fault.pointer), expected: fault.detail))
        }
        return file
    }

    private static func read(
        _ root: JSONValue, _ environment: [String: String], _ specifications: Set<String>,
        faults: inout [SchemaFault]
    ) -> ConfigurationFile {
        var file = ConfigurationFile()
        let top = JSONPointer()
        guard var reader = MemberReader(root, at: top, faults: &faults) else { return file }
        _ = reader.string("$schema", faults: &faults)
        var groups: [String: MemberReader] = [:]
        for setting in Setting.all {
            for path in [setting.path] + setting.aliases {
                let found: JSONValue?
                if path.count == 1 {
                    found = reader.value(path[0])
                } else {
                    if groups[path[0]] == nil, let value = reader.value(path[0]) {
                        groups[path[0]] =
                            MemberReader(
                                value, at: top.appending(path[0]), faults: &faults)
                            ?? MemberReader(.object([]), at: top, faults: &faults)
                    }
                    found = groups[path[0]]?.value(path[1])
                }
                guard let found else { continue }
                let place = path.reduce(top) { $0.appending($1) }
                take(found, of: setting, at: place, into: &file, faults: &faults)
            }
        }
        let upstreams = reader.value("upstreams")
        if let upstreams {
            var reading = Reading(environment: environment)
            file.upstreams =
                UpstreamDeclaration.all.read(upstreams, top.appending("upstreams"), &reading) ?? []
            faults += reading.faults
        }
        if let types = reader.value("types") {
            let place = top.appending("types")
            file.types = SchemaReader.types(types, at: place, faults: &faults)
            file.remotes = RemoteReader.remotes(
                types, at: place, upstreams: (upstreams?.objectValue ?? []).map(\.name),
                faults: &faults)
        }
        if let access = reader.value("access") {
            file.access = AccessReader.access(
                access, at: top.appending("access"), faults: &faults)
        }
        for name in ["conditions", "specs", "operations"] { _ = reader.value(name) }
        file.operations = OperationsReader.read(
            root, types: file.types, remotes: file.remotes, registered: specifications,
            faults: &faults)
        if let digest = digest(of: root) { file.digest = digest }
        for name in later { reader.refuse(name, faults: &faults) }
        for name in groups.keys.sorted() { groups[name]?.finish(faults: &faults) }
        reader.finish(faults: &faults)
        return file
    }

    private static func digest(of root: JSONValue) -> String? {
        let parts = ["types", "access"].compactMap { root[$0] }
        guard !parts.isEmpty else { return nil }
        return SHA256Digest(of: "\(parts)").hexadecimal
    }

    private static func take(
        _ json: JSONValue, of setting: Setting, at place: JSONPointer,
        into file: inout ConfigurationFile, faults: inout [SchemaFault]
    ) {
        guard file.values[setting.key] == nil else {
            faults.append(
                SchemaFault(
                    pointer: place.description, code: "value",
                    detail: "\"\(setting.path.joined(separator: "."))\" says the same already;"
                        + " leave one of the two out"))
            return
        }
        do {
            file.values[setting.key] = try setting.value(of: json)
        } catch {
            faults.append(
                SchemaFault(pointer: place.description, code: "value", detail: error.expected))
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
