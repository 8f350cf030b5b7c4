/// A stream whose client can go on at another server of the cluster. Any thread.
protocol MovableStream: AnyObject, Sendable {
    /// Ends it by `bye` with `moved`.
    func leave()
}
