/// How much of a request is read before it is refused.
package struct HTTPLimits: Sendable {
    /// Bytes of a request line without its CRLF; past them 414.
    package var requestLine = 8 * 1024
    /// Bytes of all header lines with their line ends, the empty line excepted; past them 431.
    package var headerBytes = 32 * 1024
    /// Header lines; past them 431. A `RequestHead` made for fewer holds the parser to its own number.
    package var headerFields = 100
    /// Empty lines before a request line, which some clients send after a body (RFC 9112 2.2).
    package var leadingEmptyLines = 4
    /// Bytes of all chunk extensions of one body.
    package var chunkExtensionBytes = 1024
    /// Bytes of all trailer lines of one body, line ends counted.
    package var trailerBytes = 8 * 1024
    /// Bytes of a collected body; past them 413.
    package var body = 16 * 1024 * 1024

    package init() {}
}
