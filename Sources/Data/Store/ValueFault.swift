/// One fault of a JSON value: an entity that breaks a rule of its type, or a part of a configuration.
package struct ValueFault: Error, Sendable, Equatable {
    /// A JSON pointer (RFC 6901) to the value, or to the member that is missing.
    package let pointer: String
    /// A short word for programs: `required`, `type`, `enum`, `minimum`, `maximum`, `min-length`,
    /// `max-length`, `pattern`, `pattern-effort`, `min-items`, `max-items`, `format`,
    /// `additional-property`, `id`, `json`, `too-large`; in a configuration also `unknown-member`,
    /// `value` and `not-implemented`.
    package let code: String
    /// What was expected, as one sentence without a full stop.
    package let detail: String

    package init(pointer: String, code: String, detail: String) {
        self.pointer = pointer
        self.code = code
        self.detail = detail
    }
}
