import Dispatch
import FreshetBase

/// Runs what waits on one of a few threads that are not those of tasks: each server has threads,
/// too, and a process may have 255 of Dispatch.
package func offPool(_ body: @escaping @Sendable () throws -> Void) async throws {
    let lane = OffPool.shared.lane()
    try await withCheckedThrowingContinuation { continuation in
        lane.async { continuation.resume(with: Result { try body() }) }
    }
}

private final class OffPool: Sendable {
    static let shared = OffPool()
    private let lanes = (0..<8).map { DispatchQueue(label: "test.\($0)") }
    private let next = Counter()

    func lane() -> DispatchQueue {
        next.add()
        return lanes[next.value % lanes.count]
    }
}
