import FreshetRefresh
import Testing

@Suite("When an operation runs by itself")
struct TriggerTests {
    typealias Call = ScriptedOperation.Call

    let bench = BoardBench(["a", "gate", "stale"])

    /// An edge on `a`, no other test than those asked for.
    private func settings(_ change: (inout OperationSettings) -> Void = { _ in })
        -> OperationSettings
    {
        var settings = OperationSettings()
        settings.refetch.when = .condition("a")
        settings.refetch.requiresSubscribers = false
        change(&settings)
        return settings
    }

    @Test("An edge waits for settle, and a falling edge annuls it")
    func settle() {
        let operation = ScriptedOperation(
            "op", on: bench.board, settings { $0.refetch.settle = .seconds(5) })
        bench.set("a", true)
        bench.clock.advance(by: .seconds(4))
        #expect(operation.calls() == [])
        bench.set("a", false)
        bench.clock.advance(by: .seconds(10))
        #expect(operation.calls() == [])
        bench.set("a", true)
        bench.clock.advance(by: .seconds(5))
        #expect(operation.calls() == [.start(.when)])
        #expect(bench.board.counters(of: "op")?.rises == 2)
        #expect(bench.board.counters(of: "op")?.runs == 1)
    }

    @Test(
        "A run that makes its own `when` false goes on, and calls for the next a second later",
        arguments: [SpecExpression.status([.success]), !.status([.loading])])
    func ownStatus(_ when: SpecExpression) {
        let operation = ScriptedOperation(
            "op", on: bench.board, settings { $0.refetch.when = when })
        operation.trigger(.manual, restarting: false)
        #expect(operation.calls() == [.start(.manual)])
        operation.finish()
        #expect(operation.calls() == [.start(.when)], "nothing has begun by itself before")
        operation.endAtOnce()
        operation.finish()
        #expect(operation.calls() == [], "it is cancelled by nothing, and begets none yet")
        bench.clock.advance(by: .milliseconds(999))
        #expect(operation.calls() == [])
        for _ in 0..<3 {
            bench.clock.advance(by: .seconds(1))
            #expect(operation.calls() == [.start(.when)])
        }
        bench.board.commit(.operationActive("op", false))
        bench.clock.advance(by: .seconds(5))
        #expect(operation.calls() == [])
    }

    @Test(
        "A run that makes its own `when` true by beginning calls for no second one at once",
        arguments: [RefetchSettings.During.join, .queue, .restart])
    func ownBeginning(_ during: RefetchSettings.During) {
        let operation = ScriptedOperation(
            "op", on: bench.board,
            settings {
                $0.refetch.when = !.status([.success])
                $0.refetch.during = during
            })
        for _ in 0..<3 {
            operation.trigger(.manual, restarting: false)
            bench.clock.advance(by: .milliseconds(500))
            operation.finish()
            bench.clock.advance(by: .seconds(5))
            #expect(operation.calls() == [.start(.manual)], "it was false again by its end")
        }
    }

    @Test("The value of a page does not abort the run that fetches the others")
    func interim() {
        let operation = ScriptedOperation(
            "op", on: bench.board, settings { $0.refetch.when = .age(over: .seconds(60)) })
        bench.board.commit(.value("op", updatedAt: bench.clock.now))
        bench.clock.advance(by: .seconds(61))
        #expect(operation.calls() == [.start(.when)])
        bench.board.commit(.value("op", updatedAt: bench.clock.now))
        #expect(operation.calls() == [])
    }

    @Test("A condition that falls behind the run's own beginning is no edge any more")
    func fallenBefore() {
        let operation = ScriptedOperation(
            "op", on: bench.board,
            settings { $0.refetch.when = .condition("a") && !.status([.loading], of: .this) })
        bench.set("a", true)
        #expect(operation.calls() == [.start(.when)])
        bench.set("a", false)
        #expect(operation.calls() == [], "it was false already: there is no edge")
        operation.finish()
        bench.set("a", true)
        #expect(operation.calls() == [.start(.when)])
    }

    @Test("An edge that does not pass is spent, counted, and never made up for")
    func spent() {
        let operation = ScriptedOperation(
            "op", on: bench.board,
            settings {
                $0.automatic = .condition("gate")
                $0.stale = [.condition("stale")]
                $0.refetch.requiresSubscribers = true
            })
        bench.board.commit(.value("op", updatedAt: bench.clock.now))
        func edge() {
            bench.set("a", true)
            bench.set("a", false)
        }
        edge()
        bench.set("gate", true)
        edge()
        bench.set("stale", true)
        edge()
        #expect(operation.calls() == [])
        var expected = EdgeCounters()
        expected.rises = 3
        expected.falls = 3
        expected.skippedByGate = 1
        expected.skippedFresh = 1
        expected.skippedWithoutSubscribers = 1
        #expect(bench.board.counters(of: "op") == expected)
        operation.endAtOnce()
        bench.board.commit(.subscribers("op", 1))
        #expect(operation.calls() == [.start(.subscribe)])
        edge()
        #expect(operation.calls() == [.start(.when)])
    }

    @Test("Gate, staleness and subscribers are tested when settle is over, not before")
    func testedAfterSettle() {
        let operation = ScriptedOperation(
            "op", on: bench.board,
            settings {
                $0.automatic = .condition("gate")
                $0.refetch.settle = .seconds(1)
            })
        bench.set("a", true)
        bench.set("gate", true)
        bench.clock.advance(by: .seconds(1))
        #expect(operation.calls() == [.start(.when)])
    }

    @Test("A falling edge aborts only the run that the trigger started")
    func falling() {
        let operation = ScriptedOperation("op", on: bench.board, settings())
        bench.set("a", true)
        bench.set("a", false)
        #expect(operation.calls() == [.start(.when), .cancel])
        bench.board.commit(.run("op", .began(.manual)))
        bench.set("a", true)
        bench.set("a", false)
        #expect(operation.calls() == [])
    }

    @Test("With keep a falling edge aborts nothing")
    func keep() {
        let operation = ScriptedOperation(
            "op", on: bench.board, settings { $0.refetch.onFall = .keep })
        bench.set("a", true)
        bench.set("a", false)
        #expect(operation.calls() == [.start(.when)])
    }

    @Test("An opening gate starts nothing, where when is another condition")
    func openingGate() {
        let operation = ScriptedOperation(
            "op", on: bench.board, settings { $0.automatic = .condition("gate") })
        bench.board.commit(.subscribers("op", 1))
        bench.set("gate", true)
        #expect(operation.calls() == [])
    }

    @Test("An opening gate is an edge where the default when contains it, and so is the link")
    func defaultWhen() {
        var settings = OperationSettings(upstream: "api")
        settings.automatic = .condition("gate")
        let operation = ScriptedOperation("op", on: bench.board, settings)
        operation.endAtOnce()
        bench.board.commit(.subscribers("op", 1))
        #expect(operation.calls() == [])
        bench.set("gate", true)
        #expect(operation.calls() == [.start(.when)])
        bench.board.commit(.link("api", .limited))
        bench.board.commit(.link("api", .connected))
        #expect(operation.calls() == [.start(.when)])
    }

    @Test("The first subscriber runs what is stale while the gate is open; later ones do not")
    func firstSubscriber() {
        var settings = OperationSettings()
        settings.stale = [.age(over: .seconds(60))]
        let operation = ScriptedOperation("op", on: bench.board, settings)
        operation.endAtOnce()
        bench.board.commit(.subscribers("op", 1))
        #expect(operation.calls() == [.start(.subscribe)])
        bench.board.commit(.subscribers("op", 2))
        bench.board.commit(.subscribers("op", 0))
        bench.board.commit(.subscribers("op", 1))
        #expect(operation.calls() == [])
        bench.board.commit(.subscribers("op", 0))
        bench.clock.advance(by: .seconds(61))
        bench.board.commit(.subscribers("op", 1))
        #expect(operation.calls() == [.start(.subscribe)])
        bench.board.commit(.subscribers("op", 0), .invalidated("op", true))
        bench.board.commit(.operationActive("op", false))
        bench.board.commit(.subscribers("op", 1))
        #expect(operation.calls() == [])
    }

    @Test("A poll counts from the end of the last run of any origin")
    func every() {
        let operation = ScriptedOperation(
            "op", on: bench.board, settings { $0.refetch.every = .seconds(30) })
        bench.clock.advance(by: .seconds(29))
        #expect(operation.calls() == [])
        bench.clock.advance(by: .seconds(1))
        #expect(operation.calls() == [.start(.every)])
        bench.clock.advance(by: .seconds(100))
        #expect(operation.calls() == [])
        operation.finish()
        bench.clock.advance(by: .seconds(20))
        bench.board.commit(.run("op", .began(.manual)))
        bench.clock.advance(by: .seconds(5))
        operation.finish()
        bench.clock.advance(by: .seconds(29))
        #expect(operation.calls() == [])
        bench.clock.advance(by: .seconds(1))
        #expect(operation.calls() == [.start(.every)])
    }

    @Test("What a controller follows is not stale, however old, but without a value or invalidated")
    func followed() {
        // It may be followed before the board knows it.
        let first = bench.board.follow("op")
        let operation = ScriptedOperation(
            "op", on: bench.board,
            settings {
                $0.refetch.requiresStale = true
                $0.stale = nil
            })
        func isStale() -> Bool? { bench.board.levels(of: "op")?.stale }
        #expect(isStale() == true)
        bench.board.commit(.value("op", updatedAt: bench.clock.now))
        bench.clock.advance(by: .seconds(1_000))
        #expect(isStale() == false)
        let second = bench.board.follow("op")
        first.cancel()
        #expect(isStale() == false)
        bench.set("a", true)
        #expect(operation.calls() == [])
        #expect(bench.board.counters(of: "op")?.skippedFresh == 1)
        bench.board.commit(.invalidated("op", true))
        #expect(isStale() == true)
        bench.board.commit(.value("op", updatedAt: bench.clock.now))
        #expect(isStale() == false)
        // Forgotten and there again, it is followed still.
        bench.board.detach("op")
        let again = ScriptedOperation("op", on: bench.board, settings())
        bench.board.commit(.value("op", updatedAt: bench.clock.now))
        #expect(isStale() == false)
        second.cancel()
        #expect(isStale() == true)
        #expect(again.levels.last?.stale == true)
    }

    @Test("Nothing is due behind a gate that is shut, the one of all runs included")
    func dueBehindGates() throws {
        let everyMinute = try CronSchedule("* * * * *")
        for isGate in [true, false] {
            let bench = BoardBench(["gate"])
            let operation = ScriptedOperation(
                "op", on: bench.board,
                settings {
                    if isGate {
                        $0.automatic = .condition("gate")
                    } else {
                        $0.admit.when = .condition("gate")
                    }
                    $0.refetch.when = .never
                    $0.refetch.every = .seconds(30)
                    $0.refetch.cron = everyMinute
                })
            func next() -> Duration? { bench.board.report(of: "op")?.nextRun }
            #expect(next() == nil)
            bench.set("gate", true)
            #expect(next() == bench.clock.wallNow + .seconds(30))
            bench.set("gate", false)
            #expect(next() == nil)
            #expect(operation.calls() == [])
        }
    }

    @Test("With a closed gate a poll waits, and fires once when it opens")
    func overduePoll() {
        let operation = ScriptedOperation(
            "op", on: bench.board,
            settings {
                $0.automatic = .condition("gate")
                $0.refetch.every = .seconds(30)
            })
        bench.clock.advance(by: .seconds(1_000))
        #expect(operation.calls() == [])
        operation.endAtOnce()
        bench.set("gate", true)
        #expect(operation.calls() == [.start(.every)])
        bench.clock.advance(by: .seconds(29))
        #expect(operation.calls() == [])
    }

    @Test("Any number of events during a run give one that follows it")
    func events() {
        let operation = ScriptedOperation(
            "op", on: bench.board, settings { $0.refetch.on = [.mutation("create")] })
        bench.board.commit(.event(.mutation("create")))
        #expect(operation.calls() == [.start(.event)])
        for _ in 0..<5 { bench.board.commit(.event(.mutation("create"))) }
        bench.board.commit(.event(.mutation("other")))
        #expect(operation.calls() == [])
        operation.finish()
        #expect(operation.calls() == [.start(.event)])
        operation.finish()
        #expect(operation.calls() == [])
    }

    @Test("During a run a start joins it, takes its place, or follows it once")
    func during() {
        func edges(_ during: RefetchSettings.During) -> [Call] {
            let bench = BoardBench(["a"])
            let operation = ScriptedOperation(
                "op", on: bench.board,
                settings {
                    $0.refetch.during = during
                    $0.refetch.onFall = .keep
                })
            bench.board.commit(.run("op", .began(.manual)))
            for value in [true, false, true] { bench.set("a", value) }
            operation.finish()
            return operation.calls()
        }
        #expect(edges(.join) == [])
        #expect(edges(.restart) == [.restart(.when), .restart(.when)])
        #expect(edges(.queue) == [.start(.when)])
    }

    @Test("An edge joins a run that goes on, and none that was over without the board knowing")
    func edgeBehindTheEnd() {
        func calls(edgeAt instant: Duration, endedAt end: Duration) -> [Call] {
            let bench = BoardBench(["a"])
            let operation = ScriptedOperation("op", on: bench.board, settings { _ in })
            bench.board.commit(.run("op", .began(.manual)))
            bench.clock.advance(by: instant)
            bench.set("a", true)
            bench.board.commit(.run("op", .endedAt(bench.clock.now - instant + end)))
            return operation.calls()
        }
        #expect(calls(edgeAt: .seconds(1), endedAt: .seconds(2)) == [])
        #expect(calls(edgeAt: .seconds(2), endedAt: .seconds(1)) == [.start(.when)])
    }

    @Test("minInterval bounds automatic starts; manual runs neither wait nor count")
    func minInterval() {
        let operation = ScriptedOperation(
            "op", on: bench.board,
            settings {
                $0.refetch.minInterval = .seconds(10)
                $0.refetch.onFall = .keep
            })
        operation.endAtOnce()
        bench.board.commit(.run("op", .began(.manual)))
        operation.finish()
        bench.set("a", true)
        #expect(operation.calls() == [.start(.when)])
        bench.set("a", false)
        bench.set("a", true)
        #expect(operation.calls() == [])
        bench.clock.advance(by: .seconds(9))
        #expect(operation.calls() == [])
        bench.clock.advance(by: .seconds(1))
        #expect(operation.calls() == [.start(.when)])
        bench.set("a", false)
        bench.set("a", true)
        bench.set("a", false)
        bench.clock.advance(by: .seconds(60))
        #expect(operation.calls() == [])
    }

    @Test("Several triggers in one commit start one run")
    func oneRun() {
        let operation = ScriptedOperation(
            "op", on: bench.board,
            settings {
                $0.refetch.on = [.named("push")]
                $0.refetch.every = .seconds(10)
                $0.automatic = .condition("gate")
            })
        bench.clock.advance(by: .seconds(10))
        bench.board.commit(
            .condition("gate", true), .condition("a", true), .event(.named("push")),
            .subscribers("op", 1))
        #expect(operation.calls() == [.start(.when)])
        operation.finish()
        #expect(operation.calls() == [])
    }

    @Test("A cron instant starts a run where the gate is open, and is lost otherwise")
    func cron() throws {
        // 2023-11-14T22:13:20Z
        let schedule = try CronSchedule("15 * * * *")
        let operation = ScriptedOperation(
            "op", on: bench.board,
            settings {
                $0.refetch.cron = schedule
                $0.automatic = .condition("gate")
            })
        operation.endAtOnce()
        bench.clock.advance(by: .seconds(100))
        #expect(operation.calls() == [])
        bench.set("gate", true)
        #expect(operation.calls() == [])
        bench.clock.advance(by: .seconds(3_599))
        #expect(operation.calls() == [])
        bench.clock.advance(by: .seconds(1))
        #expect(operation.calls() == [.start(.cron)])
        // The instants that a clock set forward leaves out are lost.
        bench.clock.setWall(bench.clock.wallNow + .seconds(36_000))
        bench.clock.advance(by: .seconds(3_000))
        #expect(operation.calls() == [])
        bench.clock.advance(by: .seconds(600))
        #expect(operation.calls() == [.start(.cron)])
    }

    @Test("What nobody wants for long enough is to be given up")
    func evict() {
        let operation = ScriptedOperation(
            "op", on: bench.board, settings { $0.evictAfter = .seconds(60) })
        bench.board.commit(.subscribers("op", 1))
        _ = operation.calls()
        operation.finish()
        bench.clock.advance(by: .seconds(100))
        #expect(operation.calls() == [])
        bench.board.commit(.subscribers("op", 0))
        bench.clock.advance(by: .seconds(59))
        #expect(operation.calls() == [])
        bench.clock.advance(by: .seconds(1))
        #expect(operation.calls() == [.evict])
        bench.clock.advance(by: .seconds(1_000))
        #expect(operation.calls() == [])
    }

    @Test("A run that is refused is none, and a delegate that is gone harms nothing")
    func refused() {
        final class Refusing: TriggeredOperation, Sendable {
            let board: OperationBoard
            init(_ board: OperationBoard) { self.board = board }
            func trigger(_ origin: RunOrigin, restarting: Bool) { board.commit(.run("x", .ended)) }
            func cancelTriggered() {}
            func levelsChanged(_ levels: OperationLevels) {}
            func evict() {}
        }
        do {
            let refusing = Refusing(bench.board)
            bench.board.attach("x", settings(), delegate: refusing)
            bench.set("a", true)
            bench.set("a", false)
            bench.set("a", true)
            #expect(bench.board.counters(of: "x")?.runs == 2)
            withExtendedLifetime(refusing) {}
        }
        bench.set("a", false)
        bench.set("a", true)
        bench.board.detach("x")
        #expect(bench.board.counters(of: "x") == nil)
    }

    @Test("An idle board sets no timer, and a board with many ages has one")
    func oneTimer() {
        #expect(bench.clock.scheduled == 0)
        var settings = OperationSettings()
        settings.stale = [.age(over: .seconds(60))]
        let operations = (0..<100).map {
            ScriptedOperation("op\($0)", on: bench.board, settings)
        }
        #expect(bench.clock.scheduled == 0)
        for (index, operation) in operations.enumerated() {
            bench.board.commit(
                .value(operation.id, updatedAt: bench.clock.now + .seconds(index)))
        }
        #expect(bench.clock.scheduled == 1)
        bench.clock.advance(by: .seconds(200))
        #expect(bench.clock.scheduled == 0)
        #expect(operations.allSatisfy { $0.levels.last?.stale == true })
    }

    @Test("What admits no run at all spends an edge, and keeps a poll waiting, as the gate does")
    func admission() {
        let operation = ScriptedOperation(
            "op", on: bench.board,
            settings {
                $0.admit.when = .condition("gate")
                $0.refetch.every = .seconds(10)
                $0.refetch.minInterval = .seconds(100)
            })
        operation.endAtOnce()
        bench.set("a", true)
        #expect(operation.calls() == [])
        #expect(bench.board.counters(of: "op")?.runs == 0)
        #expect(bench.board.counters(of: "op")?.skippedByGate == 1)
        bench.clock.advance(by: .seconds(35))
        #expect(operation.calls() == [])
        // Once, and the refused start counts for no interval.
        bench.set("gate", true)
        #expect(operation.calls() == [.start(.every)])
    }

    @Test("An event that waits with an edge for its time outlives the edge")
    func eventBesideEdge() {
        let event = BoardEvent.named("saved")
        let operation = ScriptedOperation(
            "op", on: bench.board,
            settings {
                $0.refetch.minInterval = .seconds(10)
                $0.refetch.on = [event]
                $0.refetch.onFall = .keep
            })
        operation.endAtOnce()
        func edgeThenEvent() {
            bench.set("a", true)
            bench.board.commit(.event(event))
            bench.set("a", false)
        }
        bench.board.commit(.event(event))
        #expect(operation.calls() == [.start(.event)])
        edgeThenEvent()
        bench.clock.advance(by: .seconds(10))
        #expect(operation.calls() == [.start(.event)])
        // Without the event there is nothing left of the edge.
        bench.set("a", true)
        bench.set("a", false)
        bench.clock.advance(by: .seconds(20))
        #expect(operation.calls() == [])
    }

    @Test("An event that comes with an edge during a run outlives the edge")
    func eventBesideQueuedEdge() {
        let event = BoardEvent.named("saved")
        let operation = ScriptedOperation(
            "op", on: bench.board,
            settings {
                $0.refetch.during = .queue
                $0.refetch.on = [event]
            })
        bench.board.commit(.run("op", .began(.manual)))
        bench.set("a", true)
        bench.board.commit(.event(event))
        bench.set("a", false)
        operation.finish()
        #expect(operation.calls() == [.start(.event)])
    }
}
