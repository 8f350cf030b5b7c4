import FreshetHTTP

/// A parsed head as plain values, for comparison.
struct ParsedHead: Equatable {
    var method = Method.other
    var methodText = ""
    var target = ""
    var path = ""
    var query = ""
    var authority = ""
    var minorVersion: UInt8 = 1
    var isAsteriskForm = false
    var keepAlive = true
    var expectsContinue = false
    var hasUnknownExpectation = false
    var framing = BodyFraming.none
    var fields: [String] = []
    var known: [String] = []
    var consumed = 0

    init(_ head: borrowing RequestHead, _ bytes: UnsafeRawBufferPointer, consumed: Int) {
        method = head.method
        methodText = text(head.methodRange.bytes(in: bytes))
        target = text(head.target.bytes(in: bytes))
        path = text(head.path.bytes(in: bytes))
        query = text(head.query.bytes(in: bytes))
        authority = text(head.authority.bytes(in: bytes))
        minorVersion = head.minorVersion
        isAsteriskForm = head.isAsteriskForm
        keepAlive = head.keepAlive
        expectsContinue = head.expectsContinue
        hasUnknownExpectation = head.hasUnknownExpectation
        framing = head.framing
        for index in 0..<head.fieldCount {
            fields.append(
                text(head.fieldName(index).bytes(in: bytes)) + "="
                    + text(head.fieldValue(index).bytes(in: bytes)))
        }
        for header in KnownHeader.allCases {
            if let value = head.value(header, in: bytes) {
                known.append("\(header.name)=\(text(value))")
            }
        }
        self.consumed = consumed
    }
}

enum Outcome: Equatable {
    case incomplete
    case complete(ParsedHead)
    case failed(RequestFault)

    var head: ParsedHead? {
        guard case .complete(let head) = self else { return nil }
        return head
    }
}

func text(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }

func withBytes<Result>(
    _ text: String, _ body: (UnsafeRawBufferPointer) throws -> Result
) rethrows -> Result {
    try Array(text.utf8).withUnsafeBytes(body)
}

/// Feeds `bytes` in growing prefixes that end at `cuts`, and then whole. Every call gets another head,
/// as the connections of one event loop may use theirs in between.
func parse(
    _ bytes: [UInt8], cuts: some Sequence<Int>, limits: HTTPLimits = HTTPLimits()
) -> Outcome {
    var parser = RequestParser()
    var first = RequestHead(limits: limits)
    var second = RequestHead(limits: limits)
    return bytes.withUnsafeBytes { buffer in
        var isFirst = true
        for cut in Array(cuts) + [bytes.count] {
            let prefix = UnsafeRawBufferPointer(rebasing: buffer[0..<cut])
            let result =
                isFirst
                ? parser.parse(prefix, into: &first, limits: limits)
                : parser.parse(prefix, into: &second, limits: limits)
            switch result {
            case .incomplete: isFirst.toggle()
            case .failed(let fault): return .failed(fault)
            case .complete(let consumed):
                return .complete(
                    isFirst
                        ? ParsedHead(first, buffer, consumed: consumed)
                        : ParsedHead(second, buffer, consumed: consumed))
            }
        }
        return .incomplete
    }
}

/// What all ways to split `bytes` agree on: whole, one byte at a time, cut once at each place. Nil
/// where they do not agree.
func parseEverySplit(_ bytes: [UInt8], limits: HTTPLimits = HTTPLimits()) -> Outcome? {
    let whole = parse(bytes, cuts: [], limits: limits)
    guard parse(bytes, cuts: 0..<bytes.count, limits: limits) == whole else { return nil }
    for cut in 0..<bytes.count where parse(bytes, cuts: [cut], limits: limits) != whole {
        return nil
    }
    return whole
}

func parseEverySplit(_ text: String, limits: HTTPLimits = HTTPLimits()) -> Outcome? {
    parseEverySplit(Array(text.utf8), limits: limits)
}

/// A small generator whose sequence its seed decides (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
