import FreshetJSON
import FreshetQuery

/// A property that some signature asks for, and by how many signatures in which way.
struct IndexedPath {
    let path: PropertyPath
    let isID: Bool
    /// The one name of a path that does not go down, as canonical JSON spells it.
    private let memberName: [UInt8]?
    var equalUses = 0
    var elementUses = 0
    var rangeUses = 0

    init(_ path: PropertyPath) {
        self.path = path
        isID = path.isID
        memberName = path.count == 1 ? path[0].bytes : nil
    }

    /// The value in `document`, which is no id.
    @inline(__always)
    func value(in document: Document) -> JSONView? {
        guard let memberName else { return document.view(at: path) }
        return memberName.withUnsafeBytes { document.member(named: $0) }
    }

    var isUsed: Bool { equalUses + elementUses + rangeUses > 0 }
}

/// The fields that a disjunct fixes, as numbers of paths; -1 where there is none.
struct SignatureShape: Hashable {
    var equal = SIMD4<Int32>(repeating: -1)
    var equalCount = 0
    var element: Int32 = -1
    var range: Int32 = -1
}

/// The hashes and heads of one document, by number of the indexed path. Read once per change,
/// however many filters ask; its arrays are kept for the next document.
struct DocumentKeys {
    private(set) var hashes: [UInt64] = []
    private(set) var heads: [UInt64] = []
    /// Hashes of all elements, and which of them are a path's.
    private(set) var elements: [UInt64] = []
    private(set) var elementRanges: [Range<Int>] = []

    /// - Complexity: O(paths × members), plus the bytes of the values.
    mutating func read(_ document: Document, _ paths: [IndexedPath]) {
        while hashes.count < paths.count {
            hashes.append(0)
            heads.append(0)
            elementRanges.append(0..<0)
        }
        elements.removeAll(keepingCapacity: true)
        paths.withUnsafeBufferPointer { paths in
            for number in 0..<paths.count where paths[number].isUsed {
                read(document, paths[number], number)
            }
        }
    }

    @inline(__always)
    private mutating func read(_ document: Document, _ indexed: IndexedPath, _ number: Int) {
        if indexed.isID {
            let bytes = document.idBytes
            if indexed.equalUses > 0 { hashes[number] = ValueKey.hash(id: bytes) }
            if indexed.rangeUses > 0 { heads[number] = EntityID.orderPrefix(bytes) }
            // An id is no array.
            elementRanges[number] = 0..<0
            return
        }
        let value = indexed.value(in: document)
        if indexed.equalUses > 0 { hashes[number] = ValueKey.hash(value) }
        if indexed.rangeUses > 0 { heads[number] = ValueKey.head(value) }
        if indexed.elementUses > 0 {
            let start = elements.count
            if let value {
                for element in value.elements { elements.append(ValueKey.hash(element)) }
            }
            elementRanges[number] = start..<elements.count
        }
    }

    /// What a signature is asked: the key of the equal fields, and the head for the range.
    @inline(__always)
    func question(_ shape: SignatureShape, _ seed: UInt64) -> (key: UInt64, head: UInt64) {
        var key = seed
        for index in 0..<shape.equalCount {
            key = ValueKey.combine(key, hashes[Int(shape.equal[index])])
        }
        return (key, shape.range < 0 ? 0 : heads[Int(shape.range)])
    }

    /// Whether the two documents have the same elements in the same order at a path.
    func hasSameElements(as other: DocumentKeys, at number: Int) -> Bool {
        elements[elementRanges[number]].elementsEqual(other.elements[other.elementRanges[number]])
    }
}
