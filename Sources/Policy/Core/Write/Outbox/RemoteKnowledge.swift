import FreshetBase
import FreshetEngine
import FreshetJSON
import FreshetRefresh
package import FreshetQuery
import FreshetRemote
import FreshetStore
import Synchronization

/// An id that a remote has given to an entity.
struct GivenID: Sendable, Equatable {
    let id: EntityID
    /// Whether it is a number in JSON, as the remote has it; nil: the remote did not show.
    let isNumber: Bool?
}

extension RemoteWriteAnswer {
    /// The id under which the remote knows the entity.
    var givenID: GivenID? {
        entity.map { GivenID(id: $0.id, isNumber: $0.document.hasNumberAsID) }
            ?? id.map { GivenID(id: $0, isNumber: nil) }
    }
}

extension Document {
    /// Whether its id is a number in its JSON.
    var hasNumberAsID: Bool { member(named: "id")?.kind == .number }
}

/// Rows that were written here and that the remote has: they may go when it has them no more. Any
/// thread.
///
/// Kept as entities `_confirmed`: id `type/id`, `revision` the row's. A row of another revision is not
/// meant. What is too long to be an id is not kept, and such a row only stays here for longer.
final class Confirmations: Sendable {
    static let storedType = TypeName.internal("confirmed")

    private let revisions = Shared<[EntityKey: UInt64]>([:])

    /// Takes over what is stored, in place of what is known.
    func load(_ views: StoreViews) {
        var stored: [EntityKey: UInt64] = [:]
        views[Self.storedType]?.forEach { document in
            guard let key = EntityKey(text: document.id.text),
                let revision = document.member(named: "revision")?.int64
                    .flatMap({ UInt64(exactly: $0) })
            else { return }
            stored[key] = revision
        }
        revisions.set(stored)
    }

    func revision(of key: EntityKey) -> UInt64? { revisions.update { $0[key] } }

    /// What keeps that the remote has the row of this revision; nil for `revision`: forgets it.
    func operation(_ key: EntityKey, _ revision: UInt64?) -> WriteOperation? {
        guard let id = key.recordID else { return nil }
        guard let revision else {
            return self.revision(of: key).map { _ in .remove(Self.storedType, id, .none) }
        }
        var json = ByteBuffer(capacity: 64)
        json.append("{")
        json.member("id", id.text)
        json.append(text: ",\"revision\":\(revision)}")
        var builder = DocumentBuilder()
        return (try? builder.build(json: json.bytes, id: .fromBody)).map {
            .set(Self.storedType, $0, .none)
        }
    }

    /// To be called when that is committed.
    func note(_ key: EntityKey, _ revision: UInt64?) {
        revisions.update { $0[key] = revision }
    }
}

/// The ids that the remote has given to entities in place of those that they were made with. Any
/// thread.
///
/// Kept as entities `_alias`: id `type/old`, `to` the new one.
// SAFETY: `current`, `expected` and `watches` are read and written under `lock`.
final class RemoteAliases: @unchecked Sendable {
    static let storedType = TypeName.internal("alias")

    private let lock = Lock()
    private var current: [EntityKey: GivenID] = [:]
    /// What names lead to over others, so that a long way is gone once: a name that is made, removed and
    /// made again gets one id more each time.
    private var resolved: [EntityKey: GivenID] = [:]
    /// Entries of commits on their way.
    private var expected: [EntityKey: EntityID] = [:]
    /// Who is to be told when the entity gets another id.
    private var watches: [EntityKey: [ObjectIdentifier: @Sendable () -> Void]] = [:]
    private let count = Counter()

    /// Takes over what is stored, in place of what is known.
    func load(_ views: StoreViews) {
        var stored: [EntityKey: GivenID] = [:]
        views[Self.storedType]?.forEach { document in
            if let (old, new) = Self.alias(document) { stored[old] = new }
        }
        lock.withLock {
            current = stored
            resolved = [:]
            count.set(current.count + expected.count)
        }
    }

    private static func alias(_ document: Document) -> (EntityKey, GivenID)? {
        guard let key = EntityKey(text: document.id.text),
            let to = document.member(named: "to"), let new = try? EntityID(json: to)
        else { return nil }
        return (key, GivenID(id: new, isNumber: to.kind == .number))
    }

    /// Takes over what another server has stored, or removed.
    func follow(_ document: Document, isRemoved: Bool) {
        guard let (old, new) = Self.alias(document) else { return }
        if isRemoved { forget(old) } else { note(old, to: new) }
    }

    /// Whether there are any, those of commits on their way included.
    var isAny: Bool { count.value > 0 }

    /// The id by which an entity is known now; its own for nearly all. One load where there are no
    /// others.
    func current(_ key: EntityKey) -> EntityID { given(key)?.id ?? key.id }

    /// The id that the remote has given; nil where that is the entity's own.
    func given(_ key: EntityKey) -> GivenID? {
        guard count.value > 0 else { return nil }
        return lock.withLock {
            guard var given = resolved[key] ?? current[key] else { return nil }
            var steps = 0
            // As many as there are would be a circle, which an earlier version may have stored.
            while let next = current[EntityKey(key.type, given.id)], steps < current.count {
                given = next
                steps += 1
            }
            if steps > 0 { resolved[key] = given }
            return given
        }
    }

    /// What keeps that the entity of `old` has another id, and that this one is no other's name.
    func operations(_ old: EntityKey, to new: GivenID) -> [WriteOperation] {
        let retired = retirement(of: EntityKey(old.type, new.id)).map { [$0] } ?? []
        return retired
            + (document(old, to: new).map { [.set(Self.storedType, $0, .none)] } ?? [])
    }

    private func document(_ old: EntityKey, to new: GivenID) -> Document? {
        guard let id = old.recordID else { return nil }
        var json = ByteBuffer(capacity: 64)
        json.append("{")
        json.member("id", id.text)
        json.member("to")
        new.id.appendJSON(asInteger: new.isNumber ?? false, to: &json)
        json.append("}")
        var builder = DocumentBuilder()
        return try? builder.build(json: json.bytes, id: .fromBody)
    }

    /// To be called before that is committed: who does not find the entity any more by its old id,
    /// and nothing is noted yet, finds it by this.
    ///
    /// - Parameter new: nil: it was not committed.
    func expect(_ old: EntityKey, to new: EntityID?) {
        lock.withLock {
            expected[old] = new
            count.set(current.count + expected.count)
        }
    }

    /// The id that an entity has where a commit on its way, or one that has just ended, gives it.
    private func coming(_ key: EntityKey) -> EntityID? {
        guard count.value > 0 else { return nil }
        return lock.withLock { expected[key] }
    }

    /// The id by which an entity is known where `isThere` tells whether it is there by its old one: while
    /// a commit is on its way, or has ended and is not noted yet, either may be.
    func current(_ key: EntityKey, where isThere: () -> Bool) -> EntityID {
        let current = current(key)
        guard current == key.id, let coming = coming(key), !isThere() else { return current }
        return coming
    }

    /// To be called when that is committed.
    func note(_ old: EntityKey, to new: GivenID) {
        let told = lock.withLock {
            current[old] = new
            if current.removeValue(forKey: EntityKey(old.type, new.id)) != nil { resolved = [:] }
            expected[old] = nil
            count.set(current.count + expected.count)
            return watches[old].map { Array($0.values) } ?? []
        }
        for changed in told { changed() }
    }

    /// What keeps that the id is no other's any more, since the remote has an entity of it itself; nil
    /// where it stands for no other.
    func retirement(of key: EntityKey) -> WriteOperation? {
        guard count.value > 0, lock.withLock({ current[key] != nil }) else { return nil }
        return key.recordID.map { .remove(Self.storedType, $0, .none) }
    }

    /// To be called when that is committed.
    func forget(_ key: EntityKey) {
        let told = lock.withLock {
            current[key] = nil
            resolved = [:]
            count.set(current.count + expected.count)
            return watches[key].map { Array($0.values) } ?? []
        }
        for changed in told { changed() }
    }

    /// Has `changed` called, on any thread, when one of `keys` has got another id.
    ///
    /// - Parameter watch: Whose it is; `unwatch` is owed.
    func watch(
        _ keys: [EntityKey], as watch: ObjectIdentifier,
        _ changed: @escaping @Sendable () -> Void
    ) {
        lock.withLock { for key in keys { watches[key, default: [:]][watch] = changed } }
    }

    func unwatch(_ keys: [EntityKey], _ watch: ObjectIdentifier) {
        lock.withLock {
            for key in keys {
                watches[key]?[watch] = nil
                if watches[key]?.isEmpty == true { watches[key] = nil }
            }
        }
    }
}

/// Somebody who follows entities by ids that the remote may replace. Ends with the object.
package final class NameWatch: Sendable {
    private let aliases: RemoteAliases
    private let keys: [EntityKey]
    private let news = Atomic<Bool>(false)

    init(
        _ aliases: RemoteAliases, _ keys: [EntityKey],
        _ changed: @escaping @Sendable () -> Void
    ) {
        self.aliases = aliases
        self.keys = keys
        aliases.watch(keys, as: ObjectIdentifier(self)) { [weak self] in
            self?.news.store(true, ordering: .sequentiallyConsistent)
            changed()
        }
    }

    /// Whether an id was replaced since this was asked last.
    package func takeNews() -> Bool {
        news.exchange(false, ordering: .sequentiallyConsistent)
    }

    deinit { aliases.unwatch(keys, ObjectIdentifier(self)) }

    /// The ids by which the entities are known now, each once.
    package var ids: [EntityID] {
        var seen: Set<EntityID> = []
        return keys.map { aliases.current($0) }.filter { seen.insert($0).inserted }
    }
}

extension Outbox {
    /// Follows the entities of `ids`; nil where no remote replaces ids of their type.
    ///
    /// - Parameter changed: One of them has got another id; any thread.
    package func watchNames(
        of ids: [EntityID], _ type: TypeName, _ changed: @escaping @Sendable () -> Void
    ) -> NameWatch? {
        guard target(of: type)?.operations.contains(.create) ?? false else { return nil }
        return NameWatch(aliases, ids.map { EntityKey(type, $0) }, changed)
    }
}
