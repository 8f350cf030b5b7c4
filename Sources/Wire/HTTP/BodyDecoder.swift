package import FreshetBase

/// One step of a `BodyDecoder`.
package struct BodyStep: Equatable, Sendable {
    /// Bytes of the input that are done with, `payload` included.
    package var consumed: Int
    /// A piece of the body in the input; empty where the step found none.
    package var payload: ByteRange
    /// Whether the body is complete; the next request begins behind `consumed`.
    package var isDone: Bool
}

/// Finds the content in the bytes behind a request head (RFC 9112 6 and 7), a piece at a time.
///
/// It keeps no bytes: what was consumed need not be kept by the caller either, and the content is the
/// same however the input is split. Chunk extensions and trailers are checked, counted and
/// dropped. After a fault the connection must end.
package struct BodyDecoder: Sendable {
    private enum State: UInt8 {
        case length
        case sizeStart, size, sizeSpace, chunkExtension, sizeLineFeed
        case data, dataCarriageReturn, dataLineFeed
        case trailerStart, trailerName, trailerValue, trailerLineFeed, lastLineFeed
        case done
    }

    /// Bytes of content handed out so far.
    package private(set) var received = 0
    private var remaining = 0
    private var extensionBytes = 0
    private var trailerBytes = 0
    private var state: State
    private var digits: UInt8 = 0
    private let limits: HTTPLimits

    package init(_ framing: BodyFraming, limits: HTTPLimits = HTTPLimits()) {
        self.limits = limits
        switch framing {
        case .none: state = .done
        case .length(let length):
            remaining = length
            state = length > 0 ? .length : .done
        case .chunked: state = .sizeStart
        }
    }

    package var isDone: Bool { state == .done }

    /// Reads up to the end of the next piece of content, of the body, or of the input.
    ///
    /// - Parameter input: The bytes behind those already consumed. It may be empty.
    /// - Returns: Neither `isDone` nor content nor anything left of the input means: more is needed.
    package mutating func decode(
        _ input: UnsafeRawBufferPointer
    ) throws(RequestFault) -> BodyStep {
        var position = 0
        while position < input.count, state != .done {
            if state == .length || state == .data {
                let piece = ByteRange(
                    start: position, count: min(remaining, input.count - position))
                remaining -= Int(piece.count)
                received += Int(piece.count)
                if remaining == 0 { state = state == .length ? .done : .dataCarriageReturn }
                return BodyStep(consumed: piece.end, payload: piece, isDone: state == .done)
            }
            try advance(over: input[position])
            position += 1
        }
        return BodyStep(consumed: position, payload: ByteRange(), isDone: state == .done)
    }

    /// Reads all of the body that the input holds and appends its content to `buffer`.
    ///
    /// - Throws: `.bodyTooLarge` as soon as it is known that the body passes `limits.body`.
    package mutating func decode(
        _ input: UnsafeRawBufferPointer, appendingTo buffer: inout ByteBuffer
    ) throws(RequestFault) -> (consumed: Int, isDone: Bool) {
        var consumed = 0
        while true {
            let rest = input.part(consumed..<input.count)
            let step = try decode(rest)
            guard received <= limits.body, remaining <= limits.body - received else {
                throw .bodyTooLarge
            }
            buffer.append(step.payload.bytes(in: rest))
            consumed += step.consumed
            if step.isDone || consumed == input.count { return (consumed, step.isDone) }
        }
    }

    /// One byte of a chunk's frame or of the trailers.
    private mutating func advance(over byte: UInt8) throws(RequestFault) {
        switch state {
        case .length, .data, .done:
            return
        case .sizeStart:
            guard let digit = Ascii.hexadecimal(byte) else { throw .malformedChunkSize }
            remaining = Int(digit)
            digits = 1
            state = .size
        case .size:
            try advanceSize(over: byte)
        case .sizeSpace:
            try countExtensionByte()
            if byte == Ascii.semicolon {
                state = .chunkExtension
            } else if byte != Ascii.space, byte != Ascii.tab {
                throw .malformedChunkSize
            }
        case .chunkExtension:
            if byte == Ascii.carriageReturn {
                state = .sizeLineFeed
            } else if byte == Ascii.lineFeed {
                throw .bareLineFeed
            } else {
                guard CharacterClass.allows(byte, CharacterClass.value) else {
                    throw .malformedChunkSize
                }
                try countExtensionByte()
            }
        case .sizeLineFeed:
            guard byte == Ascii.lineFeed else { throw .bareCarriageReturn }
            state = remaining == 0 ? .trailerStart : .data
        case .dataCarriageReturn:
            guard byte == Ascii.carriageReturn else { throw .malformedChunkEnd }
            state = .dataLineFeed
        case .dataLineFeed:
            guard byte == Ascii.lineFeed else { throw .malformedChunkEnd }
            state = .sizeStart
        case .trailerStart, .trailerName, .trailerValue, .trailerLineFeed, .lastLineFeed:
            try advanceTrailer(over: byte)
        }
    }

    private mutating func advanceSize(over byte: UInt8) throws(RequestFault) {
        if let digit = Ascii.hexadecimal(byte) {
            // 15 digits fit an Int; so many are no honest size, and neither is a row of zeros.
            guard digits < 15 else { throw .chunkTooLarge }
            digits += 1
            remaining = remaining << 4 | Int(digit)
        } else if byte == Ascii.carriageReturn {
            state = .sizeLineFeed
        } else if byte == Ascii.semicolon {
            try countExtensionByte()
            state = .chunkExtension
        } else if byte == Ascii.space || byte == Ascii.tab {
            // White space may stand before an extension (RFC 9112, section 7.1.1), and nowhere else.
            try countExtensionByte()
            state = .sizeSpace
        } else {
            throw byte == Ascii.lineFeed ? .bareLineFeed : .malformedChunkSize
        }
    }

    private mutating func countExtensionByte() throws(RequestFault) {
        extensionBytes += 1
        guard extensionBytes <= limits.chunkExtensionBytes else { throw .chunkExtensionsTooLarge }
    }

    /// The rules of header lines, without keeping what they say.
    private mutating func advanceTrailer(over byte: UInt8) throws(RequestFault) {
        if state == .trailerStart, byte == Ascii.carriageReturn {
            state = .lastLineFeed
            return
        }
        if state == .lastLineFeed {
            guard byte == Ascii.lineFeed else { throw .bareCarriageReturn }
            state = .done
            return
        }
        trailerBytes += 1
        guard trailerBytes <= limits.trailerBytes else { throw .trailersTooLarge }
        switch state {
        case .trailerStart:
            if CharacterClass.allows(byte, CharacterClass.token) {
                state = .trailerName
                return
            }
            switch byte {
            case Ascii.space, Ascii.tab: throw .foldedHeader
            case Ascii.lineFeed: throw .bareLineFeed
            case Ascii.colon: throw .emptyFieldName
            default: throw .illegalFieldName
            }
        case .trailerName:
            if CharacterClass.allows(byte, CharacterClass.token) { return }
            switch byte {
            case Ascii.colon: state = .trailerValue
            case Ascii.space, Ascii.tab: throw .spaceBeforeColon
            case Ascii.lineFeed: throw .bareLineFeed
            case Ascii.carriageReturn: throw .missingColon
            default: throw .illegalFieldName
            }
        case .trailerValue:
            if CharacterClass.allows(byte, CharacterClass.value) { return }
            switch byte {
            case Ascii.carriageReturn: state = .trailerLineFeed
            case Ascii.lineFeed: throw .bareLineFeed
            default: throw .controlInValue
            }
        default:
            guard byte == Ascii.lineFeed else { throw .bareCarriageReturn }
            state = .trailerStart
        }
    }
}
