/// What is called once something has ended, in the order in which it was added; at once where the end
/// is past. Any thread.
package final class EndActions: Sendable {
    /// nil: the end is past.
    private let actions = Shared<[@Sendable () -> Void]?>([])

    package init() {}

    /// Whether the end is past.
    package var isPast: Bool { actions.value == nil }

    package func add(_ action: @escaping @Sendable () -> Void) {
        let isLate = actions.update { actions in
            actions?.append(action)
            return actions == nil
        }
        if isLate { action() }
    }

    /// The end: calls what was added. Harmless a second time.
    package func run() {
        for action in actions.set(nil) ?? [] { action() }
    }
}
