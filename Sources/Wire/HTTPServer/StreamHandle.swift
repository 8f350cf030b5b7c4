package import FreshetNet
import Synchronization

/// Wakes a stream's source from any thread.
// SAFETY: `isAwake` is atomic; everything else belongs to the loop's thread.
package final class StreamHandle: LoopTask, @unchecked Sendable {
    package let loop: EventLoop
    private let isAwake = Atomic<Bool>(false)
    /// nil once the stream has ended. Loop only.
    private(set) var source: (any StreamSource)?
    /// nil before the stream begins and once it has ended. Loop only.
    var connection: HTTPConnection? {
        didSet { connectionAddress = connection.map { CacheLines.address(of: $0) } }
    }
    private var connectionAddress: UnsafeRawPointer?
    private let sourceAddress: UnsafeRawPointer
    /// It goes on for as long as the client wishes, and counts as such in place of its connection.
    let isEventStream: Bool
    var isChunked = false
    /// The last production had more to say.
    var hasMore = true
    var isShuttingDown = false

    init(loop: EventLoop, source: any StreamSource) {
        self.loop = loop
        self.source = source
        isEventStream = source.isEventStream
        sourceAddress = CacheLines.address(of: source)
    }

    /// Has the source asked soon. Wakes between two productions count as one.
    package func wake() {
        guard !isAwake.exchange(true, ordering: .acquiringAndReleasing) else { return }
        loop.submit(self)
    }

    package func run(on loop: EventLoop) {
        isAwake.store(false, ordering: .releasing)
        connection?.produceStream(self)
    }

    package func approach(_ step: Int) {
        if step == 0 {
            if let connectionAddress { CacheLines.fetch(connectionAddress, 4) }
            CacheLines.fetch(sourceAddress, 5)
        } else {
            connection?.approach()
            source?.approach()
        }
    }

    /// Ends the source; later wakes do nothing. Loop only.
    func end(_ reason: StreamEnd) {
        connection = nil
        let last = source
        source = nil
        last?.ended(reason)
    }
}
