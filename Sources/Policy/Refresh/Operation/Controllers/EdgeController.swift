/// Asks for a rerun each time a specification becomes true.
public struct EdgeController: OperationController {
    private let board: OperationBoard
    private let specification: SpecExpression

    public init(_ specification: SpecExpression, on board: OperationBoard) {
        self.specification = specification
        self.board = board
    }

    public func control(with controls: OperationControls) throws -> RunSubscription {
        board.observe(specification, operation: controls.operation) { isTrue in
            if isTrue { controls.rerun() }
        }
    }
}
