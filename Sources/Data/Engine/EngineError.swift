/// Why the engine gives no answer.
package enum EngineError: Error, Equatable, Sendable {
    /// What was asked is not offered yet; the text names it in the API's words. 501.
    case notImplemented(String)
    /// The time budget of the search ran out before its end. 503 `query-timeout`.
    case timeout
    /// An include is past its limits; the sentence tells which.
    case includeTooLarge(String)
}
