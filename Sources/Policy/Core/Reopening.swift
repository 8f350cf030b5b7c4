package import FreshetStore

/// A store whose disk has failed is opened again, beneath what goes on (storage.md section 6).
package enum Reopening {
    /// Has the store read its log again. A commit whose outcome nobody knew may be there, with what is to
    /// be sent and how conditions are: that is taken up, and what is on its way goes on as it was.
    package static func run(in core: CoreManager) throws(StoreError) {
        try core.store.reopen { [outbox = core.outbox] in outbox.adopt() }
        core.operations.conditions.renew()
    }
}
