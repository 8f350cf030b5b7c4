// Single flight: equal requests in flight are one.
//
// A flight is a task of its own, so it belongs to nobody who asked for it. Whoever enters holds a
// place; places are given back by waiting to the end, by being cancelled while waiting, or by
// `leave()`. The last place that is given back before the end cancels the flight and takes it off
// the table, so that whoever comes next starts anew and never gets the answer of an aborted one.
// An end, good or bad, reaches every place that is still held, and only those.

import FreshetBase
import FreshetRefresh

/// Requests in flight by what they ask for.
// SAFETY: all mutable state is read and written under `lock`; nothing is called back under it.
package final class RequestFlights<Key: Hashable & Sendable, Value: Sendable, Failure: Error>:
    @unchecked Sendable
{
    private let lock = Lock()
    private var flights: [Key: Flight] = [:]
    private let cancelled: Failure
    private let executor: (any TaskExecutor)?

    /// - Parameters:
    ///   - cancelled: What a waiting task gets that is cancelled.
    ///   - executor: Where flights run; a task of its own does not have that of who began it.
    package init(cancelled: Failure, executor: (any TaskExecutor)? = nil) {
        self.cancelled = cancelled
        self.executor = executor
    }

    /// How many are in flight.
    var count: Int { lock.withLock { flights.count } }

    /// How many wait for their end.
    var waiting: Int {
        lock.withLock { flights.values.reduce(0) { $0 + $1.waiting.count } }
    }

    /// Takes a place in the flight of `key`, which starts now unless it is on its way.
    ///
    /// The place is to be given back: by `value()` or by `leave()`.
    ///
    /// - Parameter work: Runs in a task of its own; cancelled when no place is left.
    package func enter(
        _ key: Key, _ work: @escaping @Sendable () async throws(Failure) -> Value
    ) -> Place {
        lock.withLock {
            if let flight = flights[key] {
                flight.places += 1
                return Place(flights: self, flight: flight, key: key, isFirst: false)
            }
            let flight = Flight()
            flights[key] = flight
            flight.task = Task(executorPreference: executor) { [self] in
                do throws(Failure) {
                    finish(flight, of: key, .success(try await work()))
                } catch {
                    finish(flight, of: key, .failure(error))
                }
            }
            return Place(flights: self, flight: flight, key: key, isFirst: true)
        }
    }

    private func finish(_ flight: Flight, of key: Key, _ outcome: Result<Value, Failure>) {
        let waiting = lock.withLock {
            flight.outcome = outcome
            if flights[key] === flight { flights[key] = nil }
            defer { flight.waiting = [:] }
            return flight.waiting
        }
        for waiter in waiting.values { waiter.fulfil(outcome) }
    }

    /// Gives a place back; the last one aborts what has not ended.
    private func leave(_ flight: Flight, of key: Key) {
        let task = lock.withLock { () -> Task<Void, Never>? in
            flight.places -= 1
            guard flight.places == 0, flight.outcome == nil else { return nil }
            if flights[key] === flight { flights[key] = nil }
            return flight.task
        }
        task?.cancel()
    }

    /// What tells the end of `flight`, once.
    private func waiter(in flight: Flight) -> Flight.Waiter {
        let waiter = Flight.Waiter()
        let outcome = lock.withLock {
            if flight.outcome == nil { flight.waiting[ObjectIdentifier(waiter)] = waiter }
            return flight.outcome
        }
        if let outcome { waiter.fulfil(outcome) }
        return waiter
    }

    private func abandon(_ waiter: Flight.Waiter, in flight: Flight) {
        lock.withLock { _ = flight.waiting.removeValue(forKey: ObjectIdentifier(waiter)) }
    }

    /// One request on its way.
    // SAFETY: everything of it is read and written under the table's lock.
    fileprivate final class Flight: @unchecked Sendable {
        typealias Waiter = Promise<Result<Value, Failure>>

        var task: Task<Void, Never>?
        var outcome: Result<Value, Failure>?
        var places = 1
        var waiting: [ObjectIdentifier: Waiter] = [:]
    }

    /// One party's interest in a flight.
    package struct Place: Sendable {
        private let flights: RequestFlights
        private let flight: Flight
        private let key: Key
        /// Whether this party started it.
        package let isFirst: Bool

        fileprivate init(flights: RequestFlights, flight: Flight, key: Key, isFirst: Bool) {
            self.flights = flights
            self.flight = flight
            self.key = key
            self.isFirst = isFirst
        }

        /// Waits for the end and gives the place back; called once, or else `leave()`.
        ///
        /// - Throws: What the flight ended with, or the table's `cancelled` as soon as the task is.
        package func value() async throws(Failure) -> Value {
            let waiter = flights.waiter(in: flight)
            let outcome = await waiter.value(orLeaving: .failure(flights.cancelled)) {
                flights.abandon(waiter, in: flight)
            }
            flights.leave(flight, of: key)
            return try outcome.get()
        }

        /// Gives the place back without waiting.
        package func leave() {
            flights.leave(flight, of: key)
        }
    }
}
