import FreshetRefresh
import Testing

@testable import FreshetRemote

@Suite("Equal requests in flight are one")
struct RequestFlightsTests {
    private typealias Flights = RequestFlights<String, Int, UpstreamError>

    @Test("A hundred callers, one flight, and its answer reaches all")
    func joined() async throws {
        let flights = Flights(cancelled: .cancelled)
        let work = HeldWork()
        let places = (0..<100).map { _ in flights.enter("a", work.run) }
        #expect(places.filter(\.isFirst).count == 1)
        let tasks = places.map { place in Task { try await place.value() } }
        await work.started(1)
        work.end(.success(7))
        for task in tasks { #expect(try await task.value == 7) }
        #expect(work.starts == 1)
        #expect(flights.count == 0)
    }

    @Test("A failure reaches all, and the next call starts anew")
    func failure() async throws {
        let flights = Flights(cancelled: .cancelled)
        let work = HeldWork()
        let tasks = (0..<3).map { _ in
            let place = flights.enter("a", work.run)
            return Task { try await place.value() }
        }
        await work.started(1)
        work.end(.failure(.timeout))
        for task in tasks {
            await #expect(throws: UpstreamError.timeout) { try await task.value }
        }
        let place = flights.enter("a", work.run)
        #expect(place.isFirst)
        await work.started(2)
        work.end(.success(1))
        #expect(try await place.value() == 1)
    }

    @Test("The first may leave: the flight goes on for the others")
    func leaver() async throws {
        let flights = Flights(cancelled: .cancelled)
        let work = HeldWork()
        let first = flights.enter("a", work.run)
        let second = flights.enter("a", work.run)
        let leaving = Task { try await first.value() }
        await work.started(1)
        leaving.cancel()
        await #expect(throws: UpstreamError.cancelled) { try await leaving.value }
        #expect(!work.isCancelled)
        work.end(.success(3))
        #expect(try await second.value() == 3)
    }

    @Test("The last leaver aborts the flight, and whoever comes then gets another")
    func lastLeaver() async throws {
        let flights = Flights(cancelled: .cancelled)
        let work = HeldWork()
        let places = (0..<5).map { _ in flights.enter("a", work.run) }
        await work.started(1)
        let tasks = places.dropFirst().map { place in Task { try await place.value() } }
        places[0].leave()
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
        await work.cancelled()
        let next = flights.enter("a", work.run)
        #expect(next.isFirst)
        await work.started(2)
        // The aborted one ends late and touches nothing.
        work.end(.success(2))
        #expect(try await next.value() == 2)
        #expect(flights.count == 0)
    }

    @Test("A caller that is cancelled before it waits leaves at once")
    func cancelledBefore() async throws {
        let flights = Flights(cancelled: .cancelled)
        let work = HeldWork()
        let place = flights.enter("a", work.run)
        await work.started(1)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await place.value()
        }
        await #expect(throws: UpstreamError.cancelled) { try await task.value }
        await work.cancelled()
        work.end(.failure(.cancelled))
    }

    @Test("A flight runs where it was told to, whoever began it")
    func executor() async throws {
        let executor = PolicyWorkers(.fetch)
        let flights = Flights(cancelled: .cancelled, executor: executor)
        let place = flights.enter("a") { () throws(UpstreamError) -> Int in
            withUnsafeCurrentTask {
                $0?.unownedTaskExecutor == executor.asUnownedTaskExecutor() ? 1 : 0
            }
        }
        #expect(try await place.value() == 1)
    }

    @Test("Other keys fly by themselves")
    func keys() async throws {
        let flights = Flights(cancelled: .cancelled)
        let (one, two) = (HeldWork(), HeldWork())
        let first = flights.enter("a", one.run)
        let second = flights.enter("b", two.run)
        #expect(first.isFirst && second.isFirst)
        await one.started(1)
        await two.started(1)
        two.end(.success(2))
        one.end(.success(1))
        #expect(try await first.value() == 1)
        #expect(try await second.value() == 2)
    }
}
