import FreshetHTTP

/// What the driver refuses by itself. The responder writes the answer, since only it knows the
/// public wording.
package enum ConnectionFault: Sendable {
    /// 400: the head or the framing of the body is malformed; the text says how.
    case badRequest(StaticString)
    /// 400: the client speaks TLS.
    case secureHello
    /// 414
    case uriTooLong
    /// 431
    case headersTooLarge
    /// 413
    case payloadTooLarge(maximumBytes: Int)
    /// 417: an expectation other than 100-continue.
    case expectationFailed
    /// 408: the head or the body came too slowly.
    case requestTimeout
    /// 503: too many connections or streams.
    case overloaded
    /// 503: too much is held of bodies that come in several pieces.
    case bodiesFull
    /// 503
    case shuttingDown
    /// 501: the text says what.
    case notImplemented(StaticString)
    /// 505
    case versionNotSupported
    /// 500: a responder has not answered.
    case internalError

    init(_ fault: RequestFault, bodyLimit: Int) {
        if fault == .secureHello {
            self = .secureHello
            return
        }
        switch fault.status.code {
        case 413: self = .payloadTooLarge(maximumBytes: bodyLimit)
        case 414: self = .uriTooLong
        case 417: self = .expectationFailed
        case 431: self = .headersTooLarge
        case 501: self = .notImplemented(fault.reason)
        case 505: self = .versionNotSupported
        default: self = .badRequest(fault.reason)
        }
    }

    package var status: Int {
        switch self {
        case .badRequest, .secureHello: 400
        case .uriTooLong: 414
        case .headersTooLarge: 431
        case .payloadTooLarge: 413
        case .expectationFailed: 417
        case .requestTimeout: 408
        case .overloaded, .bodiesFull, .shuttingDown: 503
        case .notImplemented: 501
        case .versionNotSupported: 505
        case .internalError: 500
        }
    }

    /// One sentence for the client.
    package var detail: StaticString {
        switch self {
        case .badRequest(let reason), .notImplemented(let reason): reason
        case .secureHello: RequestFault.secureHello.reason
        case .uriTooLong: "The request line is longer than the server takes."
        case .headersTooLarge: "The header fields are larger or more than the server takes."
        case .payloadTooLarge: "The body is larger than the server takes."
        case .expectationFailed: "The server meets no expectation but 100-continue."
        case .requestTimeout: "The request came too slowly."
        case .overloaded: "The server has too many connections."
        case .bodiesFull: "Too many request bodies are on their way; this one was not taken."
        case .shuttingDown: "The server is stopping."
        case .versionNotSupported: "The server speaks HTTP/1.1 and HTTP/1.0."
        case .internalError: "The server could not answer."
        }
    }
}
