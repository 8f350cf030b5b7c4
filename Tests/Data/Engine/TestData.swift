import FreshetBase
import FreshetJSON
import FreshetQuery
import FreshetTestSupport
import Testing

/// Random numbers that a seed repeats (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func below(_ bound: Int) -> Int {
        Int.random(in: 0..<bound, using: &self)
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }
}

/// Makes a seed and prints it, so that a failure can be repeated.
func freshSeed(_ name: StaticString) -> UInt64 {
    let seed = TestSeed.first
    print("\(name): seed \(seed)")
    return seed
}

/// A sealed document of JSON text that has an id.
func document(_ json: String, revision: UInt64 = 1) throws -> Document {
    var builder = DocumentBuilder()
    let document = try Array(json.utf8).withUnsafeBytes { bytes in
        try builder.build(json: bytes, id: .fromBody)
    }
    document.seal(revision: revision)
    return document
}

/// The stored JSON as text.
func text(_ document: Document) -> String {
    String(decoding: document.json, as: UTF8.self)
}

/// The ids' texts, in order.
func ids(_ documents: [Document]) -> [String] {
    documents.map { String(decoding: $0.idBytes, as: UTF8.self) }
}

/// The id order as the contract tells it, over texts.
func idPrecedes(_ left: String, _ right: String) -> Bool {
    func integer(_ text: String) -> Int64? {
        guard let value = Int64(text), String(value) == text else { return nil }
        return value
    }
    switch (integer(left), integer(right)) {
    case (let left?, let right?): return left < right
    case (.some, nil): return true
    case (nil, .some): return false
    case (nil, nil): return left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}
