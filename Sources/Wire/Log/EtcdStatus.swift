package import FreshetBase
import FreshetJSON

/// How one node of etcd is.
struct EtcdStatus: Equatable {
    let version: String
    /// What its data takes on disk, and what of that is in use.
    let bytes: UInt64
    let usedBytes: UInt64
    /// Nil where the node does not tell (before 3.6).
    let quota: UInt64?
    /// Its leader is known to it.
    let hasLeader: Bool
    let errors: [String]

    /// - Parameter view: An answer of `/v3/maintenance/status`.
    init?(_ view: JSONView) {
        guard let version = view.member(named: "version")?.string else { return nil }
        func number(_ name: StaticString) -> UInt64? { view.member(named: name)?.etcdNumber }
        self.version = version
        bytes = number("dbSize") ?? 0
        usedBytes = number("dbSizeInUse") ?? bytes
        quota = number("dbSizeQuota")
        hasLeader = (number("leader") ?? 0) != 0
        errors = view.member(named: "errors")?.elements.compactMap(\.string) ?? []
    }

    /// The oldest versions whose answers are to be trusted: those before lose or misread what a log
    /// needs (a revision that is not the same on all nodes, a watch that leaves events out).
    static let oldest = [[3, 4, 21], [3, 5, 20]]

    /// Why a log should not be on this version; nil where it may.
    static func complaint(about version: String) -> String? {
        let numbers = version.split(whereSeparator: { !$0.isNumber }).prefix(3).compactMap {
            Int($0)
        }
        guard numbers.count == 3 else {
            return "\"\(version)\" is no version of etcd that is known"
        }
        let least = oldest.first { $0.prefix(2).elementsEqual(numbers.prefix(2)) }
        let bound = least ?? oldest[0]
        guard numbers.lexicographicallyPrecedes(bound) else { return nil }
        let wanted = oldest.map { $0.map(String.init).joined(separator: ".") }
        return "etcd \(version) is too old for a log: at least \(wanted[0]), of 3.5 \(wanted[1])"
    }
}

extension EtcdLog {
    /// Looks at the engine as a start does.
    ///
    /// - Returns: Sentences to warn of.
    /// - Throws: `.refused` where a node is too old for a log; `.away` or `.unknown` where none answers.
    package func check() throws(LogTrouble) -> [String] {
        do throws(EtcdFailure) {
            var warnings: [String] = []
            var last: EtcdFailure?
            var reached = 0
            for node in 0..<nodes.count {
                do throws(EtcdFailure) {
                    let status = try nodes.status(node)
                    reached += 1
                    if let complaint = EtcdStatus.complaint(about: status.version) {
                        throw EtcdFailure(.refused, "\(nodes.name(node)): \(complaint)")
                    }
                    warnings += status.errors.map { "\(nodes.name(node)): \($0)" }
                } catch {
                    if error.kind == .refused { throw error }
                    last = EtcdFailure(error.kind, "\(nodes.name(node)): \(error.text)")
                    warnings.append("\(nodes.name(node)) does not answer: \(error.text)")
                }
            }
            if let last, reached == 0 { throw last }
            if let members = try memberCount(), members < 3 {
                warnings.append(
                    "etcd has \(members == 1 ? "1 member" : "\(members) members"): a log that "
                        + "outlives the loss of one needs 3")
            }
            if !settings.compacts, try otherKeys() > 0 {
                warnings.append(
                    "etcd holds keys of others: its history is compacted where \"compact\" is true")
            }
            return warnings
        } catch {
            throw error.trouble
        }
    }

    package func describe() -> [(name: String, value: String)] {
        var facts = [("kind", "etcd")]
        for offset in 0..<nodes.count {
            let node = (nodes.first + offset) % nodes.count
            do throws(EtcdFailure) {
                let status = try nodes.status(node)
                facts += [
                    ("node", nodes.name(node)), ("version", status.version),
                    ("leader", status.hasLeader ? "known" : "unknown"),
                    ("bytes", String(status.bytes)), ("usedBytes", String(status.usedBytes)),
                    ("quota", String(quota(node, status))),
                ]
                facts += status.errors.map { ("error", $0) }
                return facts
            } catch {
                facts.append(("error", "\(nodes.name(node)): \(error.text)"))
            }
        }
        return facts
    }

    /// etcd's own bound where none is configured.
    private static let usualQuota: UInt64 = 2 << 30

    /// Bytes at which the node refuses everything; before 3.6 they stand among its metrics alone.
    private func quota(_ node: Int, _ status: EtcdStatus) -> UInt64 {
        if let quota = status.quota { return quota }
        // Where it does not show them, the usual bound is the best guess.
        let page = (try? nodes.metrics(node)) ?? []
        let name = "\netcd_server_quota_backend_bytes "
        let text = String(decoding: page, as: UTF8.self)
        guard let place = text.firstRange(of: name) else { return Self.usualQuota }
        let value = Double(text[place.upperBound...].prefix { $0 != "\n" })
        return value.flatMap { UInt64(exactly: $0.rounded()) }.flatMap { $0 > 0 ? $0 : nil }
            ?? Self.usualQuota
    }

    /// Nil where etcd does not tell.
    private func memberCount() throws(EtcdFailure) -> Int? {
        let answer: [UInt8]
        do throws(EtcdFailure) {
            answer = try nodes.read("/v3/cluster/member/list", Array("{}".utf8))
        } catch {
            return nil
        }
        return JSONView.read(answer) { view in
            view.member(named: "members").map { Array($0.elements).count }
        }
    }

    /// How many keys etcd holds that are not the log's; 0 where this user may not see them.
    func otherKeys() throws(EtcdFailure) -> UInt64 {
        do throws(EtcdFailure) {
            let all = try count([0], [0])
            let own = try count(keys.everything.from, keys.everything.to)
            return all > own ? all - own : 0
        } catch {
            if error.kind == .refused { return 0 }
            throw error
        }
    }

    private func count(_ from: [UInt8], _ to: [UInt8]) throws(EtcdFailure) -> UInt64 {
        let request = EtcdText.make { text in
            text.add("key", bytes: from)
            text.add("range_end", bytes: to)
            text.add("count_only", true)
        }
        let answer = try nodes.read("/v3/kv/range", request)
        let count = JSONView.read(answer) { view -> UInt64? in
            view.kind == .object ? view.member(named: "count").flatMap(\.etcdNumber) ?? 0 : nil
        }
        guard let count else { throw EtcdFailure(.open, "its count of keys cannot be read") }
        return count
    }
}
