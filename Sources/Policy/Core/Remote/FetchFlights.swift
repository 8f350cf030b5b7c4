import FreshetBase
import FreshetRemote

// Single flight.
//
// Equal questions on their way to a remote are one. Whoever asks gets a place in the flight; who
// leaves takes nothing from the others, and the last one to leave ends the flight. The outcome,
// good or bad, reaches all who are left. A flight that nobody waits for in a request of its own is
// a refresh: the service itself has the place, and how many of these there are is bounded.

/// The fetches on their way, each with those who wait for it. Any thread.
final class FetchFlights: Sendable {
    /// Refreshes on their way at once, beyond which none is begun.
    static let mostRefreshes = 64
    /// Refreshes of one question that may begin within a second.
    static let mostStarts = 5

    enum Start: Sendable, Equatable {
        case started, joined
        /// As many refreshes are on their way as there may be.
        case full
        /// The question was asked more than often enough within this second.
        case recent
    }

    fileprivate final class Flight: Sendable {
        let key: String
        // SAFETY: read and written under the lock of the flights.
        nonisolated(unsafe) var waiting: [Int: @Sendable (FetchResult) -> Void] = [:]
        // SAFETY: as `waiting`.
        nonisolated(unsafe) var nextPlace = 0
        // SAFETY: as `waiting`.
        nonisolated(unsafe) var task: Task<Void, Never>?
        // SAFETY: as `waiting`.
        nonisolated(unsafe) var isRefresh: Bool

        init(_ key: String, isRefresh: Bool) {
            self.key = key
            self.isRefresh = isRefresh
        }
    }

    private let executor = RemoteTaskExecutor("freshet.fetches")
    private let lock = Lock()
    // SAFETY: read and written under `lock` only.
    nonisolated(unsafe) private var flights: [String: Flight] = [:]
    // SAFETY: as `flights`.
    nonisolated(unsafe) private var refreshes = 0
    // SAFETY: as `flights`.
    nonisolated(unsafe) private var starts: [String: Int] = [:]
    // SAFETY: as `flights`.
    nonisolated(unsafe) private var second: Int64 = 0
    // SAFETY: as `flights`.
    nonisolated(unsafe) private var isStopped = false

    /// Fetches on their way.
    var count: Int { lock.withLock { flights.count } }

    /// Places in them.
    var waitingCount: Int {
        lock.withLock { flights.values.reduce(0) { $0 + $1.waiting.count } }
    }

    /// Waits for the fetch of `key`, which `work` does unless it is on its way.
    ///
    /// - Parameter onEnd: Called once, on any thread, unless the place is left before; at once
    ///   where nothing is begun any more.
    func enter(
        _ key: String, onEnd: @escaping @Sendable (FetchResult) -> Void,
        work: @escaping @Sendable () async -> FetchResult
    ) -> (place: FetchPlace?, start: Start) {
        let entered = lock.withLock { () -> (FetchPlace, Start)? in
            guard !isStopped else { return nil }
            return place(key, isRefresh: false, onEnd, work)
        }
        guard let entered else {
            onEnd(.failure(.stopping))
            return (nil, .full)
        }
        return entered
    }

    /// Has the service itself wait for the fetch of `key`. Nothing to wait for is allocated where
    /// it is on its way.
    func refresh(
        _ key: String, at now: MonotonicInstant = .now,
        work: @escaping @Sendable () async -> FetchResult
    ) -> Start {
        lock.withLock {
            guard !isStopped else { return .full }
            if let flight = flights[key], flight.isRefresh { return .joined }
            if flights[key] == nil {
                let second = Int64(now.nanoseconds / 1_000_000_000)
                if second != self.second {
                    self.second = second
                    starts.removeAll(keepingCapacity: true)
                }
                guard starts[key, default: 0] < Self.mostStarts else { return .recent }
                guard refreshes < Self.mostRefreshes else { return .full }
                starts[key, default: 0] += 1
            }
            return place(key, isRefresh: true, { _ in }, work).1
        }
    }

    /// Ends all fetches, and lets none begin. Returns at once; whoever waits is told so.
    func stop() {
        let all = lock.withLock {
            isStopped = true
            return Array(flights.values)
        }
        for flight in all {
            end(flight, .failure(.stopping))
            lock.withLock { flight.task }?.cancel()
        }
    }

    // MARK: Under the lock

    private func place(
        _ key: String, isRefresh: Bool, _ onEnd: @escaping @Sendable (FetchResult) -> Void,
        _ work: @escaping @Sendable () async -> FetchResult
    ) -> (FetchPlace, Start) {
        let flight: Flight
        let start: Start
        if let known = flights[key] {
            flight = known
            start = .joined
        } else {
            flight = Flight(key, isRefresh: false)
            flights[key] = flight
            start = .started
        }
        if isRefresh, !flight.isRefresh {
            flight.isRefresh = true
            refreshes += 1
        }
        let number = flight.nextPlace
        flight.nextPlace += 1
        flight.waiting[number] = onEnd
        if start == .started {
            flight.task = Task(executorPreference: executor) {
                self.end(flight, await work())
            }
        }
        return (FetchPlace(self, flight, number), start)
    }

    // MARK: Ends

    private func end(_ flight: Flight, _ result: FetchResult) {
        let waiting = lock.withLock {
            remove(flight)
            defer { flight.waiting = [:] }
            return flight.waiting
        }
        for (_, onEnd) in waiting.sorted(by: { $0.key < $1.key }) { onEnd(result) }
    }

    private func remove(_ flight: Flight) {
        guard flights[flight.key] === flight else { return }
        flights[flight.key] = nil
        if flight.isRefresh { refreshes -= 1 }
    }

    fileprivate func leave(_ flight: Flight, _ number: Int) {
        let abandoned = lock.withLock { () -> Task<Void, Never>? in
            guard flight.waiting.removeValue(forKey: number) != nil, flight.waiting.isEmpty
            else { return nil }
            remove(flight)
            return flight.task
        }
        abandoned?.cancel()
    }
}

/// A place in a fetch on its way. Letting go of it leaves nothing: `leave` does.
package final class FetchPlace: Sendable {
    private let flights: FetchFlights
    private let flight: FetchFlights.Flight
    private let number: Int

    fileprivate init(_ flights: FetchFlights, _ flight: FetchFlights.Flight, _ number: Int) {
        self.flights = flights
        self.flight = flight
        self.number = number
    }

    /// Waits no longer; the last one to leave ends the fetch. Harmless after its end.
    package func leave() { flights.leave(flight, number) }
}
