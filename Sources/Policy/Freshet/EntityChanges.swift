import FreshetBase
import FreshetRefresh
import FreshetQuery
import FreshetStore

/// One change of one entity.
public enum EntityChange: Sendable, Equatable {
    case created(Entity)
    case changed(Entity, old: Entity)
    /// The entity as it was.
    case removed(Entity)
    /// So many changes came faster than they were handled, and are left out here.
    case missed(Int)
}

/// The handlers of a server.
final class EntityChanges: Sendable {
    private let boxes = Registry<ChangeBox>()
    private let life: ServerLife

    init(_ life: ServerLife) { self.life = life }

    func add(
        _ type: String?, _ handler: @escaping @Sendable (EntityChange) async -> Void
    ) -> RunSubscription {
        let box = ChangeBox(type)
        let place = boxes.add(box)
        if life.hasEnded { box.end() }
        let task = Task {
            while let change = await box.next() { await handler(change) }
        }
        return RunSubscription {
            box.end()
            task.cancel()
            place.cancel()
        }
    }

    /// On the writer's thread.
    func receive(_ changes: [Change]) {
        for box in boxes.items { box.put(changes) }
    }

    func end() {
        for box in boxes.removeAll() { box.end() }
    }
}

/// What waits for one handler.
// SAFETY: all mutable state is read and written under `lock`.
private final class ChangeBox: @unchecked Sendable {
    static let capacity = 10_000

    private let type: String?
    private let lock = Lock()
    private var waiting = ChangeQueue<Change>(capacity: ChangeBox.capacity)
    private var hasEnded = false
    private var waiter: Promise<Void>?

    init(_ type: String?) {
        self.type = type
    }

    func put(_ changes: [Change]) {
        let waiter = lock.withLock { () -> Promise<Void>? in
            guard !hasEnded else { return nil }
            var hasNew = false
            for change in changes where isWanted(change.type) {
                hasNew = true
                waiting.append(change)
            }
            guard hasNew else { return nil }
            defer { self.waiter = nil }
            return self.waiter
        }
        waiter?.fulfil(())
    }

    private func isWanted(_ type: TypeName) -> Bool {
        self.type.map { $0 == type.text } ?? !type.isInternal
    }

    func end() {
        let waiter = lock.withLock {
            hasEnded = true
            waiting.removeAll()
            defer { self.waiter = nil }
            return self.waiter
        }
        waiter?.fulfil(())
    }

    /// The next change; nil once it has ended.
    func next() async -> EntityChange? {
        while true {
            switch lock.withLock({ waiting.dequeue() }) {
            case .element(let change):
                if let change = EntityChange(change) { return change }
            case .missed(let count): return .missed(count)
            case nil:
                guard await wait() else { return nil }
            }
        }
    }

    private func wait() async -> Bool {
        let news = lock.withLock { () -> Promise<Void>? in
            guard !hasEnded, waiting.isEmpty else { return nil }
            waiter = Promise()
            return waiter
        }
        await news?.value()
        return lock.withLock { !hasEnded }
    }
}

extension EntityChange {
    init?(_ change: Change) {
        // Made where it is read, so that the writer's thread copies nothing.
        let (old, new) = (
            change.old.map { Entity($0, of: change.type) },
            change.new.map { Entity($0, of: change.type) }
        )
        switch (old, new) {
        case (let old?, let new?): self = .changed(new, old: old)
        case (nil, let new?): self = .created(new)
        case (let old?, nil): self = .removed(old)
        case (nil, nil): return nil
        }
    }
}
