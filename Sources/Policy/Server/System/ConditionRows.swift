import FreshetBase
import FreshetConfig
import FreshetCore
import FreshetJSON
import FreshetQuery
import FreshetRefresh

/// The rows of `_conditions`: named flags, and which specifications read them.
final class ConditionRows: SystemProvider {
    let type = SystemType.conditions
    private let board: OperationBoard
    private let configuration: ConfigurationRecord

    init(_ core: CoreManager, _ configuration: ConfigurationRecord) {
        board = core.operations.board
        self.configuration = configuration
    }

    func ids() -> [EntityID] { board.conditions().compactMap { try? EntityID($0.name) } }

    func append(_ id: EntityID, _ texts: TextBound, to body: inout ByteBuffer) -> Bool {
        guard let state = board.condition(id.text) else { return false }
        body.append("{")
        body.member("id", state.name)
        body.append(",")
        ConditionDocument.append(membersOf: state, changed: nil, to: &body)
        let readers = configuration.current.settings.operations.readers {
            if case .atom(.condition(state.name)) = $0 { true } else { false }
        }
        body.member("readers", each: readers) { $0.append(to: &$1) }
        body.append("}")
        return true
    }

    func watch(_ changed: @escaping @Sendable (SystemChange) -> Void) -> RunSubscription {
        RunSubscription([
            board.observeConditions { states in
                for state in states {
                    if let id = try? EntityID(state.name) { changed(.row(id)) }
                }
            },
            // What is declared changes with the configuration alone, which tells nobody.
            look(every: .seconds(5)) { changed(.all) },
        ])
    }
}
