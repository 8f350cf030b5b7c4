import Foundation
import Freshet
import Testing

/// Holds while the program's own switch is on.
final class Switch: RunSpecification, @unchecked Sendable {
    // SAFETY: all mutable state is read and written under `lock`.
    private let lock = NSLock()
    private var isOn = false
    private var listeners: [UUID: @Sendable () -> Void] = [:]

    func set(_ isOn: Bool) {
        let listeners = lock.withLock {
            self.isOn = isOn
            return Array(self.listeners.values)
        }
        for listener in listeners { listener() }
    }

    func isSatisfied(in context: RunContext) -> Bool {
        lock.withLock { isOn }
    }

    func subscribe(
        in context: RunContext, onChange: @escaping @Sendable () -> Void
    ) -> RunSubscription {
        let key = UUID()
        lock.withLock { listeners[key] = onChange }
        return RunSubscription { [self] in lock.withLock { listeners[key] = nil } }
    }
}

struct Office: Sendable {
    var isOpen = false
}

struct OfficeKey: RunContextKey {
    static let defaultValue = Office()
}

struct OfficeHours: RunSpecification {
    func isSatisfied(in context: RunContext) -> Bool { context[OfficeKey.self].isOpen }

    func subscribe(
        in context: RunContext, onChange: @escaping @Sendable () -> Void
    ) -> RunSubscription { .none }
}

@Suite("The article on run specifications")
struct RunSpecificationsArticle {
    @Test("Its code on built-in conditions runs")
    func builtIn() async throws {
        let server = try EntityServer(.memory())
        defer { server.stop() }
        let turns = Told<Bool>()
        let quiet = !.condition("maintenance") && .serviceIsActive
        let observer = server.board.observe(quiet) { isQuiet in turns.add(isQuiet) }
        server.board.commit(.serviceActive(false))
        server.board.commit(.serviceActive(true))
        await turns.when { $0 == [false, true] }
        observer.cancel()
    }

    @Test("Its code on a specification of one's own runs")
    func own() throws {
        let trading = Switch()
        let extensions = EntityServer.Extensions()
        extensions.specifications.register("trading", trading)
        let server = try EntityServer(.memory(), extensions)
        let gate = .spec("trading") && .serviceIsActive
        print(server.board.evaluate(gate).isSatisfied)
        #expect(!server.board.evaluate(gate).isSatisfied)
        server.stop()

        var context = RunContext()
        context[OfficeKey.self] = Office(isOpen: true)
        print(context.satisfies(OfficeHours()))
        #expect(context.satisfies(OfficeHours()))
    }
}
