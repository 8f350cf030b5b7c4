import FreshetBase
import Testing

@testable import FreshetRefresh

@Suite("Registries")
struct RegistryTests {
    @Test("What is taken away may have added something itself, which goes with it")
    func nested() {
        let registry = Registry<@Sendable () -> Void>()
        func add() -> RunSubscription {
            let inner = registry.add({})
            return registry.add({ withExtendedLifetime(inner) {} })
        }
        let outer = add()
        #expect(registry.items.count == 2)
        outer.cancel()
        #expect(registry.items.isEmpty)
    }

    @Test("Items stand in the order in which they came, whatever went between")
    func order() {
        let registry = Registry<Int>()
        let places = (0..<4).map { registry.add($0) }
        places[1].cancel()
        places[1].cancel()
        #expect(registry.items == [0, 2, 3])
        #expect(registry.removeAll() == [0, 2, 3])
        #expect(registry.items.isEmpty)
    }
}
