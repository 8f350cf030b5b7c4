/// What makes requests to an upstream acceptable: it knows a header, and when it is spent.
package protocol UpstreamCredential: Sendable {
    /// What must not be shown of what is sent; each one until no answer to it can come any more.
    var mask: SecretMask { get }

    /// Has one exchange made with the current header, and again with a new one where the answer
    /// says so.
    ///
    /// - Parameter send: Makes the exchange; the header replaces a configured one of that name. It
    ///   answers whatever the status is, and waits for a place of its own, so that nobody who waits
    ///   for a refresh holds one.
    /// - Throws: `.auth`, `.cancelled`, and what `send` throws.
    func perform(
        _ send:
            @Sendable (_ header: (String, String)) async throws(UpstreamError) ->
            UpstreamResponse
    ) async throws(UpstreamError) -> UpstreamResponse
}
