import Foundation

/// What was told, in order.
// SAFETY: all mutable state is read and written under `lock`.
final class Told<Element: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var list: [Element] = []
    private var waits:
        [(isDue: ([Element]) -> Bool, continuation: CheckedContinuation<Void, Never>)] =
            []

    var all: [Element] { lock.withLock { list } }

    func add(_ element: Element) {
        let due = lock.withLock {
            list.append(element)
            let due = waits.filter { $0.isDue(list) }
            waits.removeAll { $0.isDue(list) }
            return due
        }
        for wait in due { wait.continuation.resume() }
    }

    /// Waits until `count` are there.
    func count(_ count: Int) async { await when { $0.count >= count } }

    /// Waits until `isDue` of all that was told.
    func when(_ isDue: @escaping ([Element]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isNow = lock.withLock {
                if !isDue(list) { waits.append((isDue, continuation)) }
                return isDue(list)
            }
            if isNow { continuation.resume() }
        }
    }
}
