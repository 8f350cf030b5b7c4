package import FreshetQuery

extension Table {
    /// Makes a table of `documents`, as inserting them one after the other would: of equal ids the
    /// last stays. Documents may come in any order; ascending ids cost least.
    ///
    /// - Parameter documents: Fewer than 2^32.
    /// - Complexity: O(n log n), about 0.5 s for one million.
    package init(loading documents: [Document]) {
        let ascending =
            Self.isAscending(documents) ? documents : LoadOrder(documents).arranged(documents)
        self.init(
            tree: DocumentTree(ascending: ascending), hash: IDHash(expecting: ascending.count))
        for document in ascending { enter(document) }
    }

    private static func isAscending(_ documents: [Document]) -> Bool {
        guard documents.count > 1 else { return true }
        for index in 1..<documents.count
        where EntityID.compare(documents[index - 1].idBytes, documents[index].idBytes) >= 0 {
            return false
        }
        return true
    }
}

/// The id order of many documents, found without touching most of them more than once: integers
/// are sorted by value, strings by 16 of their bytes, and only ties look at the documents again.
private struct LoadOrder {
    private struct IntegerEntry {
        let value: Int64
        let position: UInt32
    }

    /// 16 bytes of the id behind what all string ids begin with.
    private struct TextEntry {
        let first: UInt64
        let second: UInt64
        let position: UInt32
    }

    private var integers: [IntegerEntry] = []
    private var texts: [TextEntry] = []

    init(_ documents: [Document]) {
        let shared = Self.sharedPrefix(documents)
        texts.reserveCapacity(documents.count)
        for index in 0..<documents.count {
            let document = documents[index]
            let position = UInt32(truncatingIfNeeded: index)
            if let value = document.integerID {
                integers.append(IntegerEntry(value: value, position: position))
            } else {
                let text = document.idBytes
                texts.append(
                    TextEntry(
                        first: IDKey.word(text, from: shared),
                        second: IDKey.word(text, from: shared + 8), position: position))
            }
        }
        integers.sort {
            $0.value != $1.value ? $0.value < $1.value : $0.position < $1.position
        }
        texts.sort { left, right in
            if left.first != right.first { return left.first < right.first }
            if left.second != right.second { return left.second < right.second }
            let order = EntityID.compare(
                documents[Int(left.position)].idBytes, documents[Int(right.position)].idBytes)
            return order != 0 ? order < 0 : left.position < right.position
        }
    }

    /// `documents` in this order, of equal ids the last alone.
    func arranged(_ documents: [Document]) -> [Document] {
        var result: [Document] = []
        result.reserveCapacity(documents.count)
        func add(_ position: UInt32) {
            let document = documents[Int(position)]
            if let last = result.last,
                EntityID.compare(last.idBytes, document.idBytes) == 0
            {
                result[result.count - 1] = document
            } else {
                result.append(document)
            }
        }
        for entry in integers { add(entry.position) }
        for entry in texts { add(entry.position) }
        return result
    }

    /// How many bytes all string ids have in common at their start.
    private static func sharedPrefix(_ documents: [Document]) -> Int {
        var shared: Int?
        var sample: UnsafeRawBufferPointer?
        for document in documents where document.integerID == nil {
            let text = document.idBytes
            guard let first = sample, let known = shared else {
                sample = text
                shared = text.count
                continue
            }
            var length = 0
            while length < known, length < text.count, text[length] == first[length] { length += 1 }
            shared = length
            if length == 0 { break }
        }
        return shared ?? 0
    }
}
