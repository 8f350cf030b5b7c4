import FreshetBase
import FreshetJSON

/// A request to etcd's gateway, as JSON is written: keys and values are Base64, numbers strings.
struct EtcdText: ~Copyable {
    private var text = ByteBuffer(capacity: 1_024)
    private var needsComma = false

    /// Appends `"name":`, behind a comma where it is not the first of its object.
    private mutating func begin(_ name: StaticString) {
        if needsComma { text.append(UInt8(ascii: ",")) }
        needsComma = true
        text.append(jsonName: name)
    }

    mutating func add(_ name: StaticString, bytes: [UInt8]) {
        begin(name)
        text.append("\"")
        text.append(base64: bytes)
        text.append("\"")
    }

    mutating func add(_ name: StaticString, number: UInt64) {
        begin(name)
        text.append("\"")
        text.append(decimal: number)
        text.append("\"")
    }

    mutating func add(_ name: StaticString, word: StaticString) {
        begin(name)
        text.append("\"")
        text.append(word)
        text.append("\"")
    }

    mutating func add(_ name: StaticString, _ value: Bool) {
        begin(name)
        text.append(jsonBool: value)
    }

    mutating func add(_ name: StaticString, object body: (inout EtcdText) -> Void) {
        begin(name)
        needsComma = false
        self.object(body)
    }

    mutating func add(_ name: StaticString, list body: (inout EtcdText) -> Void) {
        begin(name)
        text.append("[")
        needsComma = false
        body(&self)
        text.append("]")
        needsComma = true
    }

    /// Appends an element of a list.
    mutating func add(word: StaticString) {
        if needsComma { text.append(UInt8(ascii: ",")) }
        needsComma = true
        text.append("\"")
        text.append(word)
        text.append("\"")
    }

    /// An object of a list, or the whole.
    mutating func object(_ body: (inout EtcdText) -> Void) {
        if needsComma { text.append(UInt8(ascii: ",")) }
        text.append("{")
        needsComma = false
        body(&self)
        text.append("}")
        needsComma = true
    }

    /// The text of one object.
    static func make(_ body: (inout EtcdText) -> Void) -> [UInt8] {
        var request = EtcdText()
        request.object(body)
        return Array(request.text.bytes)
    }
}

/// A key of etcd's, as an answer or an event has it.
struct EtcdEntry {
    let key: [UInt8]
    let value: [UInt8]
    let modRevision: UInt64

    /// - Parameter view: `{"key","value","create_revision","mod_revision",…}`; what is empty or zero
    ///   is left out by etcd.
    init?(_ view: JSONView) {
        func bytes(_ name: StaticString) -> [UInt8]? {
            guard let value = view.member(named: name) else { return [] }
            return value.stringContents.flatMap(Base64.decode)
        }
        guard let key = bytes("key"), !key.isEmpty, let value = bytes("value"),
            let changed = view.member(named: "mod_revision")?.etcdNumber
        else { return nil }
        self.key = key
        self.value = value
        modRevision = changed
    }
}

extension JSONView {
    /// A number as etcd's gateway writes it: in a string.
    var etcdNumber: UInt64? { (stringContents ?? numberText).flatMap(Decimal.parse) }

    /// Reads `text` as one JSON value.
    ///
    /// - Returns: What `body` makes of it; nil where it is no JSON.
    static func read<Value>(_ text: some Collection<UInt8>, _ body: (JSONView) -> Value?) -> Value?
    {
        var scanner = JSONScanner(depthLimit: 32)
        return text.withContiguousStorageIfAvailable { text in
            let text = UnsafeRawBufferPointer(text)
            guard let summary = try? scanner.scan(text) else { return Value?.none }
            let value = UnsafeRawBufferPointer(rebasing: text[summary.start..<summary.end])
            if summary.isCanonical { return body(JSONView(canonical: value)) }
            var canonical = ByteBuffer(capacity: value.count + 32)
            JSONCanonical.compact(value, into: &canonical)
            return body(JSONView(canonical: canonical.bytes))
        } ?? nil
    }
}
