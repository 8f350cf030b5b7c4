import FreshetBase

/// Work on the files of a store that its writer thread does not wait for.
protocol StoreJob: AnyObject, Sendable {
    /// Must it come to its end even where the store closes?
    var heals: Bool { get }

    /// Gives it up. Any thread.
    func cancel()

    /// Ends it soon, because the store closes. Any thread.
    func hurry()

    /// - Parameter between: Called after each block written or read.
    /// - Returns: Tells what came of it; called once the next job may begin.
    func run(between: @escaping () -> Void) -> @Sendable () -> Void
}

/// Runs one job at a time, on a thread of its own. Any thread.
final class Compactor: Sendable {
    private let lock = Lock()
    // SAFETY: touched under `lock` alone.
    nonisolated(unsafe) private var current: (any StoreJob)?
    // SAFETY: touched under `lock` alone.
    nonisolated(unsafe) private var thread: WriterThread?
    // SAFETY: touched under `lock` alone.
    nonisolated(unsafe) private var isClosed = false
    // SAFETY: touched under `lock` alone.
    nonisolated(unsafe) private var isHurried = false
    private let isStepped: Bool

    init(isStepped: Bool) {
        self.isStepped = isStepped
    }

    /// - Returns: false where it is closed, has a job or can have no thread; then nothing is done.
    func start(_ job: any StoreJob) -> Bool {
        lock.withLock {
            guard !isClosed, current == nil, !isHurried || job.heals else { return false }
            if isHurried { job.hurry() }
            if !isStepped {
                thread = try? WriterThread(isBackground: true) { [self] in
                    let tell = job.run {}
                    // First, because the next job may be started by what the end brings about.
                    end()
                    tell()
                }
                guard thread != nil else { return false }
            }
            current = job
            return true
        }
    }

    /// Whether it takes nothing more.
    var hasClosed: Bool { lock.withLock { isClosed || isHurried } }

    /// In a stepped store: runs the job that was started. - Returns: false where there is none.
    func runPending(between: @escaping () -> Void = {}) -> Bool {
        guard isStepped, let job = lock.withLock({ current }) else { return false }
        let tell = job.run(between: between)
        end()
        tell()
        return true
    }

    private func end() {
        lock.withLock { current = nil }
    }

    /// Tells the job, if there is one, to end soon.
    func cancel() {
        lock.withLock { current }?.cancel()
    }

    /// Cancels the job and waits for its end. Not for the job's own thread.
    func cancelAndWait() {
        let (job, running) = lock.withLock { (current, thread) }
        job?.cancel()
        if job != nil { running?.join() }
    }

    /// The store closes: takes none from now on but those that heal, and has what runs end soon.
    func hurry() {
        let job = lock.withLock {
            isHurried = true
            return current
        }
        job?.hurry()
    }

    /// As `cancelAndWait`, and takes no other.
    func close() {
        lock.withLock { isClosed = true }
        cancelAndWait()
    }
}
