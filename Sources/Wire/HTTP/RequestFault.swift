/// Every way in which the bytes of a request can be malformed.
///
/// After a fault of a head or a body the place where the next request begins is unknown, so the
/// connection is answered with `status` and closed; there is no lenient mode. Faults of
/// `PathSegments` and `QueryParameters` lose no framing.
package enum RequestFault: UInt8, Error, Sendable, CaseIterable {
    // Lines
    case bareLineFeed
    case bareCarriageReturn
    case tooManyEmptyLines
    // Request line
    case illegalMethod
    /// The first byte of TLS: the client takes the port for one of https.
    case secureHello
    case malformedRequestLine
    case malformedTarget
    case fragmentInTarget
    case malformedVersion
    case unsupportedVersion
    case requestLineTooLong
    // Header lines
    case foldedHeader
    case emptyFieldName
    case illegalFieldName
    case spaceBeforeColon
    case missingColon
    case controlInValue
    case headersTooLarge
    case tooManyFields
    case repeatedField
    // Host and framing
    case missingHost
    case malformedHost
    case malformedLength
    case repeatedLength
    case lengthAndTransferEncoding
    case unsupportedTransferEncoding
    case transferEncodingInHTTP10
    // Body
    case malformedChunkSize
    case chunkTooLarge
    case malformedChunkEnd
    case chunkExtensionsTooLarge
    case trailersTooLarge
    case bodyTooLarge
    // Target
    case malformedEscape
    case nulInTarget
    case malformedUTF8
    case tooManySegments
    case tooManyParameters

    package var status: Status {
        switch self {
        case .requestLineTooLong: .uriTooLong
        case .unsupportedVersion: .versionNotSupported
        case .headersTooLarge, .tooManyFields, .trailersTooLarge: .headersTooLarge
        case .bodyTooLarge: .contentTooLarge
        default: .badRequest
        }
    }

    /// What is wrong, for the `detail` of the problem.
    package var reason: StaticString {
        switch self {
        case .bareLineFeed: "a line ends with LF alone, not with CRLF"
        case .bareCarriageReturn: "a CR is not followed by LF"
        case .tooManyEmptyLines: "too many empty lines before the request line"
        case .illegalMethod: "the request line does not begin with a method"
        case .secureHello: "this port speaks http, and the client speaks TLS (https)"
        case .malformedRequestLine: "the request line is not: method, space, target, space, version"
        case .malformedTarget: "the request target is not a path, an http URL, or * of OPTIONS"
        case .fragmentInTarget: "the request target has a raw #"
        case .malformedVersion: "the request line does not end with HTTP/1.1 or HTTP/1.0"
        case .unsupportedVersion: "only HTTP/1.1 and HTTP/1.0 are spoken here"
        case .requestLineTooLong: "the request line is too long"
        case .foldedHeader: "a header line begins with white space"
        case .emptyFieldName: "a header line has no name before its colon"
        case .illegalFieldName: "a header name has a character that is not allowed in it"
        case .spaceBeforeColon: "white space stands between a header name and its colon"
        case .missingColon: "a header line has no colon"
        case .controlInValue: "a header value has a control character"
        case .headersTooLarge: "the headers are too large"
        case .tooManyFields: "there are too many header lines"
        case .repeatedField: "a header that may stand once stands twice"
        case .missingHost: "the Host header is missing"
        case .malformedHost: "the Host header is not: host, or host:port"
        case .malformedLength: "Content-Length is not a number in plain digits"
        case .repeatedLength: "Content-Length stands twice"
        case .lengthAndTransferEncoding: "Content-Length and Transfer-Encoding stand together"
        case .unsupportedTransferEncoding: "Transfer-Encoding is not exactly: chunked"
        case .transferEncodingInHTTP10: "HTTP/1.0 has no Transfer-Encoding"
        case .malformedChunkSize: "a chunk size is not plain hexadecimal digits"
        case .chunkTooLarge: "a chunk size is too large"
        case .malformedChunkEnd: "a chunk does not end with CRLF where its size says"
        case .chunkExtensionsTooLarge: "the chunk extensions are too large"
        case .trailersTooLarge: "the trailers are too large"
        case .bodyTooLarge: "the body is too large"
        case .malformedEscape: "a % is not followed by two hexadecimal digits"
        case .nulInTarget: "%00 is not accepted"
        case .malformedUTF8: "the decoded text is not UTF-8"
        case .tooManySegments: "the path has too many segments"
        case .tooManyParameters: "the query has too many parameters"
        }
    }
}
