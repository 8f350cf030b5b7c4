package import FreshetStore

/// A store whose disk has failed is opened again, beneath what goes on (storage.md section 6): a commit
/// whose outcome nobody knew may be there, with what is to be sent and how conditions are.
package struct Reopening: Sendable {
    private let core: CoreManager

    package init(_ core: CoreManager) { self.core = core }

    /// Ends deliveries that are on their way, and begins none before `resume`.
    package func pause() async { await core.outbox.stopped() }

    /// Has the store read its log again, and goes by what that has.
    package func read() throws(StoreError) {
        try core.store.reopen { [outbox = core.outbox] in outbox.load() }
        core.operations.conditions.renew()
    }

    package func resume() { core.outbox.begin() }
}
