import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetJSON
import FreshetQuery
import FreshetRefresh

/// The rows of `_specs`: named specifications of the configuration, and whether they hold.
final class SpecRows: SystemProvider {
    let type = SystemType.specs
    private let board: OperationBoard
    private let configuration: ConfigurationRecord
    private let memory = SpecMemory()

    init(_ core: CoreManager, _ configuration: ConfigurationRecord) {
        board = core.operations.board
        self.configuration = configuration
    }

    func ids() -> [EntityID] {
        configuration.current.settings.operations.specs.keys.compactMap { try? EntityID($0) }
    }

    func append(_ id: EntityID, _ texts: TextBound, to body: inout ByteBuffer) -> Bool {
        let settings = configuration.current.settings
        let name = id.text
        guard let spec = settings.operations.specs[name] else { return false }
        let evaluation = board.evaluate(spec, operation: nil, at: nil)
        body.append("{")
        body.member("id", name)
        body.member("spec")
        // One that the file has no more goes on until the next start.
        let sections = [settings.sections, configuration.start.sections]
        (sections.lazy.compactMap { $0["specs"]?[name] }.first ?? .null).write(to: &body)
        body.member("satisfied", evaluation.isSatisfied)
        body.member("nextChange")
        let told = memory.told(name, [evaluation], instants: [evaluation.nextChange])
        ConditionDocument.append(told.instants[0], to: &body)
        body.member("evaluated", told.turns)
        let readers = settings.operations.readers { $0 == .named(name) }
        body.member("readers", each: readers) { $0.append(to: &$1) }
        body.append("}")
        return true
    }

    func watch(_ changed: @escaping @Sendable (SystemChange) -> Void) -> RunSubscription {
        RunSubscription([
            board.observeConditions { _ in changed(.all) },
            look(every: .seconds(1)) { changed(.all) },
        ])
    }
}
