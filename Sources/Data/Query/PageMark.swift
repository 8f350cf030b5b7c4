import FreshetBase
import FreshetJSON

// How a page says where the next one begins.
//
// A mark holds the last row's place in the order, not its number: the values of the order's keys
// and the id, which ends every order. The next page is what comes behind that place, so rows that
// are inserted or removed before it shift nothing, and the row itself may be gone.
//
// The text is base64url of
//
//     1 byte       version, 1
//     8 bytes      fingerprint of type, filter and order, little endian
//     4 + n bytes  the id's text
//     per key      4 + n bytes, the value's canonical JSON; length 0: the row has none
//
// The fingerprint keeps a mark from being used under another question; it is no signature. Whoever
// forges a mark begins at another place of rows that may be read anyway, so what is read here is
// checked to be well-formed, and nothing else.

/// The place of a row in an order, behind which a page begins.
package struct PageMark: Sendable, Equatable {
    /// The row's id.
    package let id: EntityID
    /// For each key of the query's canonical order the row's canonical JSON value, nil where the
    /// row has none.
    package let values: [[UInt8]?]
    private let fingerprint: UInt64

    /// Of its values.
    package var bytes: Int { values.reduce(0) { $0 + ($1?.count ?? 0) } }

    private static let version: UInt8 = 1

    /// The place of `document` in the answers to `query`; nil for an id that cannot be one.
    ///
    /// - Parameter known: `fingerprint(behind: query)`, where it is at hand.
    package init?(of document: Document, in query: Query, fingerprint known: UInt64? = nil) {
        guard let id = try? EntityID(text: document.idBytes) else { return nil }
        self.id = id
        fingerprint = known ?? Self.fingerprint(behind: query)
        values = Self.keys(of: query).map { key in
            let value =
                key.path.isID ? document.member(named: "id") : document.view(at: key.path)
            return value.map { Array($0.bytes) }
        }
    }

    /// Reads a mark that was given out for `query`, whatever its window was.
    ///
    /// - Throws: `badParameter` for what is no mark, or one of another type, filter or order.
    package init(text: String, for query: Query) throws(QueryFault) {
        guard let bytes = Base64URL.decode(text.utf8), bytes.first == Self.version else {
            throw Self.fault("this is no cursor of meta.next")
        }
        var reader = Reader(bytes: bytes, position: 1)
        guard let fingerprint = reader.word() else {
            throw Self.fault("this is no cursor of meta.next")
        }
        guard fingerprint == Self.fingerprint(of: query) else {
            throw Self.fault("the cursor is of another type, filter or order")
        }
        self.fingerprint = fingerprint
        guard let idText = reader.field(),
            let id = idText.withUnsafeBytes({ try? EntityID(text: $0) })
        else { throw Self.fault("this is no cursor of meta.next") }
        self.id = id
        var values: [[UInt8]?] = []
        for _ in Self.keys(of: query) {
            guard let field = reader.field() else {
                throw Self.fault("this is no cursor of meta.next")
            }
            if field.isEmpty {
                values.append(nil)
            } else if let value = Self.canonical(field) {
                values.append(value)
            } else {
                throw Self.fault("this is no cursor of meta.next")
            }
        }
        guard reader.isAtEnd else { throw Self.fault("this is no cursor of meta.next") }
        self.values = values
    }

    /// The mark as `meta.next` gives it and `after` takes it.
    package var text: String {
        var record = ByteBuffer(capacity: 64)
        record.append(Self.version)
        record.append(littleEndian: fingerprint)
        id.withBytes { bytes in
            record.append(littleEndian: UInt32(truncatingIfNeeded: bytes.count))
            record.append(bytes)
        }
        for value in values {
            record.append(littleEndian: UInt32(truncatingIfNeeded: value?.count ?? 0))
            if let value { record.append(value) }
        }
        return Base64URL.encode(record.bytes)
    }

    /// The keys whose values a mark holds.
    private static func keys(of query: Query) -> [OrderKey] {
        guard case .keys(let keys) = query.order.canonical() else { return [] }
        return keys
    }

    /// The fingerprint of what comes behind a page of `query`, which is that of the page's own mark.
    ///
    /// - Complexity: That of the query's canonical key, some microseconds; behind a mark O(1).
    package static func fingerprint(behind query: Query) -> UInt64 {
        query.after?.fingerprint ?? fingerprint(of: query)
    }

    /// The hash of what decides which rows there are and how they stand.
    private static func fingerprint(of query: Query) -> UInt64 {
        var key = ByteBuffer(capacity: 256)
        query.appendPagesKey(to: &key)
        return key.bytes.fnv()
    }

    /// `field` in canonical form; nil where it is no JSON value.
    private static func canonical(_ field: [UInt8]) -> [UInt8]? {
        field.withUnsafeBytes { bytes in
            var scanner = JSONScanner()
            guard let summary = try? scanner.scan(bytes) else { return nil }
            var buffer = ByteBuffer(capacity: bytes.count)
            JSONCanonical.compact(
                UnsafeRawBufferPointer(rebasing: bytes[summary.start..<summary.end]),
                into: &buffer)
            return Array(buffer.bytes)
        }
    }

    private static func fault(_ detail: String) -> QueryFault {
        QueryFault(.badParameter, "after", detail)
    }

    private struct Reader {
        let bytes: [UInt8]
        var position: Int

        var isAtEnd: Bool { position == bytes.count }

        mutating func word() -> UInt64? { number(of: 8) }

        mutating func field() -> [UInt8]? {
            guard let length = number(of: 4), length <= UInt64(bytes.count - position) else {
                return nil
            }
            defer { position += Int(length) }
            return Array(bytes[position..<position + Int(length)])
        }

        private mutating func number(of size: Int) -> UInt64? {
            guard bytes.count - position >= size else { return nil }
            var value: UInt64 = 0
            for index in 0..<size { value |= UInt64(bytes[position + index]) << UInt64(index * 8) }
            position += size
            return value
        }
    }
}
