import Glibc

/// A thread that runs only while its owner waits for it: one baton for both, so that a program of
/// several such threads does the same each time. Of one owner.
final class Baton: @unchecked Sendable {
    // SAFETY: both semaphores are made in init and destroyed in deinit; all else is touched by
    // whichever side has the baton, and handing it over orders the two.
    private let mine = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    private let theirs = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    private var body: ((Baton) -> Void)?
    private(set) var hasEnded = false
    /// The thread has the baton.
    private(set) var isInside = false

    /// - Parameter body: Runs up to its first `yield` when it is resumed first.
    init(_ body: @escaping (Baton) -> Void) {
        self.body = body
        sem_init(mine, 0, 0)
        sem_init(theirs, 0, 0)
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let baton = Unmanaged<Baton>.fromOpaque(argument).takeRetainedValue()
                sem_wait(baton.theirs)
                baton.body?(baton)
                baton.body = nil
                baton.hasEnded = true
                baton.isInside = false
                sem_post(baton.mine)
                return nil
            }, Unmanaged.passRetained(self).toOpaque())
        precondition(status == 0, "no thread could be started")
        pthread_detach(thread)
    }

    deinit {
        sem_destroy(mine)
        sem_destroy(theirs)
        mine.deallocate()
        theirs.deallocate()
    }

    /// The owner's: lets the thread run up to its next `yield`, or to its end.
    func resume() {
        guard !hasEnded else { return }
        isInside = true
        sem_post(theirs)
        sem_wait(mine)
    }

    /// The thread's: gives the baton back, and waits for the next `resume`.
    func yield() {
        isInside = false
        sem_post(mine)
        sem_wait(theirs)
    }
}
