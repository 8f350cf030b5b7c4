/// Why the engine gives no answer.
package enum EngineError: Error, Equatable, Sendable {
    /// What was asked is not offered yet; the text names it in the API's words. 501.
    case notImplemented(String)
    /// A text after `~=` is no regular expression. `offset` is a byte of the filter's text, nil for
    /// a filter in the JSON form; `place` one of the expression. 400 `bad-filter`.
    case badPattern(offset: Int?, place: Int, expected: String)
    /// A limit on the query's size is passed; the text says which. 400 `query-too-complex`.
    case tooComplex(String)
    /// The time budget of the search ran out before its end. 503 `query-timeout`.
    case timeout
    /// An include is past its limits; the sentence tells which.
    case includeTooLarge(String)
    /// What must be kept for the answer is past its bounds; the sentence tells how. 400
    /// `query-too-complex` of the parameter.
    case answerTooLarge(parameter: String, String)
    /// A live query's snapshot has more bytes than this. 422 `snapshot-too-large`.
    case snapshotTooLarge(limit: Int)
    /// As many live queries as this have no part that an index of queries can use. 422
    /// `too-many-residual-queries`.
    case tooManyResidualQueries(limit: Int)
    /// The windows of live queries keep as many rows as this. 422 `too-many-live-queries`.
    case tooManyWindowRows(limit: Int)
    /// The compiled filters of live queries take as many bytes as this. 422 `too-many-live-queries`.
    case tooManyFilterBytes(limit: Int)
}
