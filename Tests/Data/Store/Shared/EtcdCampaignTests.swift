import FreshetBase
import FreshetEngine
import FreshetLogDrivers
import FreshetQuery
import FreshetTestSupport
import Glibc
import Testing

@testable import FreshetStore

/// Three replicas in this process over three etcd processes: nodes die and freeze, the lead is handed
/// over, and clients write all the while. Eight events, or as many as `FRESHET_CAMPAIGN_EVENTS` says;
/// one comes after each 40 acknowledged writes, so that no time is asserted.
@Suite(
    .enabled(if: EtcdCluster.program != nil, "etcd is missing; .ci/run installs it (etcd-server)"))
struct EtcdCampaignTests {
    @Test(.timeLimit(.minutes(15)))
    func whateverHappensToEtcdNothingAcknowledgedIsLost() async throws {
        let seed = TestSeed.first
        print("campaign over etcd: seed \(seed)")
        let events = TestSeed.number("FRESHET_CAMPAIGN_EVENTS").map { Int($0) } ?? 8
        let campaign = try await Campaign.start()
        let writers = (0..<4).map { writer in
            Task { await campaign.write(writer) }
        }
        var random = SplitMix(seed: seed)
        for number in 1...events {
            await campaign.acknowledged(40 * number)
            try await campaign.disturb(&random)
        }
        await campaign.acknowledged(40 * (events + 1))
        try await campaign.heal()
        await campaign.end()
        for writer in writers { await writer.value }
        await campaign.judge()
        campaign.close()
    }
}

private actor Campaign {
    private enum Wound {
        case killed(Int), frozen(Int)
    }

    private nonisolated let cluster: EtcdCluster
    private nonisolated let stores: [ReplicaStore]
    private var wound: Wound?
    private var isOver = false
    private var made: [String: UInt64] = [:]
    private var refused: [String] = []
    private var unknown = 0
    private var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    /// How many writes are waited for, which is done only a part of the time.
    private var awaited = 0
    /// Writes by which the writers are ahead of that at most: a node that starts slowly would have more and
    /// more to read.
    private static let mostAhead = 1_000

    private init(_ cluster: EtcdCluster, _ stores: [ReplicaStore]) {
        self.cluster = cluster
        self.stores = stores
    }

    static func start() async throws -> Campaign {
        let made = Made()
        try await offPool {
            let cluster = try EtcdCluster(3)
            let places = cluster.places.split(separator: ",")
            let stores = try ["a", "b", "c"].enumerated().map { number, name in
                // Each has another node nearest.
                let order = places[number...] + places[..<number]
                let address = try EtcdAddress("etcd://\(order.joined(separator: ","))/campaign")
                var settings = ReplicaSettings(replica: name)
                settings.url = name
                settings.takeover = .seconds(2)
                var options = FileStoreOptions(directory: "\(cluster.folder)/\(name)")
                options.reserve = 0
                return try ReplicaStore.open(
                    options, settings, log: try EtcdLog(.init(address)),
                    logger: Log(level: .error, descriptor: -1))
            }
            made.value = Campaign(cluster, stores)
        }
        let campaign = try #require(made.value)
        for store in campaign.stores {
            let joined: SeqWait = await withCheckedContinuation { continuation in
                store.whenJoined(within: .seconds(60)) { continuation.resume(returning: $0) }
            }
            #expect(joined == .reached)
        }
        return campaign
    }

    // SAFETY: written before its reader is resumed.
    private final class Made: @unchecked Sendable {
        var value: Campaign?
    }

    nonisolated func close() {
        for store in stores { store.close() }
    }

    // MARK: Clients

    /// Writes one entity after the other, each to whoever leads.
    func write(_ writer: Int) async {
        var number = 0
        var store = stores[writer % stores.count]
        while !isOver {
            guard made.count < awaited + Self.mostAhead else {
                await pause()
                continue
            }
            number += 1
            let id = "w\(writer)-\(number)"
            // Some make a frame that is larger than a record of etcd may be.
            let isLarge = number % 25 == 7
            let size = isLarge ? 900_000 : 100
            let first = try? Make.set("t", Self.text(id, size))
            let second = isLarge ? try? Make.set("other", Self.text(id, size)) : nil
            guard let transaction = Transaction(operations: [first, second].compactMap(\.self))
            else {
                Issue.record("\(id) cannot be written")
                return
            }
            let outcome = await withCheckedContinuation { continuation in
                store.submit(transaction) { continuation.resume(returning: $0) }
            }
            switch outcome {
            case .done(let receipt): acknowledge(id, receipt.cursor.seq)
            case .logAway(unknown: true): unknown += 1
            case .notLeader(let url):
                refused.append(id)
                store = stores.first { $0.settings.replica == url } ?? store
                await pause()
            default:
                refused.append(id)
                await pause()
            }
        }
    }

    private static func text(_ id: String, _ size: Int) -> String {
        #"{"id":"\#(id)","text":"\#(String(repeating: "x", count: size))"}"#
    }

    /// As a client waits before it asks again.
    private func pause() async { try? await Task.sleep(for: .milliseconds(20)) }

    private func acknowledge(_ id: String, _ seq: UInt64) {
        made[id] = seq
        let met = watchers.filter { $0.count <= made.count }
        watchers.removeAll { $0.count <= made.count }
        for watcher in met { watcher.continuation.resume() }
    }

    /// Waits until so many writes were acknowledged.
    func acknowledged(_ count: Int) async {
        awaited = count
        if made.count >= count { return }
        await withCheckedContinuation { watchers.append((count, $0)) }
    }

    // MARK: Events

    /// Heals what was hurt last, then hurts another node, or hands the lead over.
    func disturb(_ random: inout SplitMix) async throws {
        try await heal()
        let node = random.next(3)
        let cluster = cluster
        switch random.next(3) {
        case 0:
            wound = .killed(node)
            try await offPool { cluster.kill(node) }
        case 1:
            wound = .frozen(node)
            cluster.freeze(node)
        default:
            guard let leader = stores.first(where: { $0.state.role == .leader }) else { return }
            let next = stores[(random.next(2) + 1 + (stores.firstIndex { $0 === leader } ?? 0)) % 3]
            _ = await withCheckedContinuation { continuation in
                leader.stepDown(to: next.settings.replica) { continuation.resume(returning: $0) }
            }
        }
    }

    func heal() async throws {
        let cluster = cluster
        defer { wound = nil }
        switch wound {
        case .killed(let node): try await offPool { try cluster.start(node) }
        case .frozen(let node): cluster.thaw(node)
        case nil: break
        }
    }

    func end() { isOver = true }

    // MARK: What must hold

    func judge() async {
        for store in stores {
            let wait: SeqWait = await withCheckedContinuation { continuation in
                store.waitForHead(within: .seconds(60)) { continuation.resume(returning: $0) }
            }
            #expect(wait == .reached, "\(store.settings.replica): \(store.state)")
        }
        #expect(Set(stores.map(\.cursor)).count == 1)
        #expect(Set(made.values).count == made.count, "one seq, one write")
        for store in stores {
            for (id, seq) in made {
                let document = (try? Make.id(id)).flatMap { store.document(Make.type("t"), $0) }
                #expect(document?.revision == seq, "\(store.settings.replica) has lost \(id)")
                if document?.revision != seq { return }
            }
            for id in refused {
                let document = (try? Make.id(id)).flatMap { store.document(Make.type("t"), $0) }
                #expect(document == nil, "\(id) was refused, and made")
                if document != nil { return }
            }
        }
        print(
            "campaign over etcd: \(made.count) acknowledged, \(refused.count) refused, "
                + "\(unknown) unknown")
    }
}
