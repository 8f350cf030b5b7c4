extension OperationClock {
    /// Waits until `instant`, or until the task is cancelled.
    ///
    /// - Returns: Whether the instant was reached.
    package func rest(until instant: Duration) async -> Bool {
        let isReached = Promise<Bool>()
        let alarm = schedule(at: instant) { isReached.fulfil(true) }
        defer { alarm.cancel() }
        return await isReached.value(orLeaving: false)
    }
}
