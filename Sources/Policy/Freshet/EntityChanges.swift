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
    private var waiting: [Change] = []
    /// Where `waiting` goes on.
    private var head = 0
    private var missed = 0
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
                // What is missed is told where it is missing: behind what waits.
                if missed > 0 || waiting.count - head >= Self.capacity {
                    missed += 1
                } else {
                    waiting.append(change)
                }
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
            waiting = []
            head = 0
            defer { self.waiter = nil }
            return self.waiter
        }
        waiter?.fulfil(())
    }

    func next() async -> EntityChange? {
        while true {
            if let change = dequeue() { return EntityChange(change) }
            if let count = takeMissed() { return .missed(count) }
            guard await wait() else { return nil }
        }
    }

    private func dequeue() -> Change? {
        lock.withLock {
            guard head < waiting.count else { return nil }
            defer {
                head += 1
                if head == waiting.count {
                    waiting.removeAll(keepingCapacity: head <= 256)
                    head = 0
                }
            }
            return waiting[head]
        }
    }

    private func takeMissed() -> Int? {
        lock.withLock {
            guard missed > 0 else { return nil }
            defer { missed = 0 }
            return missed
        }
    }

    private func wait() async -> Bool {
        let news = lock.withLock { () -> Promise<Void>? in
            guard !hasEnded, missed == 0, head == waiting.count else { return nil }
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
