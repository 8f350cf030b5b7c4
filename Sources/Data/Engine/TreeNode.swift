import FreshetQuery
import Glibc

/// What a node's heads are.
enum TreeNodeForm: UInt8 {
    /// `EntityID.orderPrefix`: integers and texts are both under the node.
    case mixed
    /// The values of integers, which are all there is under the node.
    case integers
    /// Eight bytes of texts, behind the prefix that all texts under the node begin with.
    case texts
}

extension ManagedBuffer {
    /// The header, without the check for exclusive access that each use of `header` makes: nodes
    /// are read and written by one thread, or by none once others can see them.
    // SAFETY: the header lies in the object's own allocation; every user of the pointer holds it.
    @inline(__always)
    var headerPointer: UnsafeMutablePointer<Header> { withUnsafeMutablePointerToHeader { $0 } }
}

/// What stands in front of a node's slots.
struct TreeNodeHeader {
    static let prefixLimit = 24

    /// What all ids under a node of texts begin with: the first `prefixCount` of these bytes. First
    /// in the header, so the header's address is theirs.
    var prefix: (UInt64, UInt64, UInt64) = (0, 0, 0)
    /// Slots in use.
    var count: Int32 = 0
    /// 0 for a leaf, else the number of edges down to the leaves.
    let level: Int32
    var form = TreeNodeForm.mixed
    var prefixCount: UInt8 = 0
}

/// Where an id is in a node, as far as the node's form tells.
private enum HeadPlace {
    /// Before or behind everything under the node.
    case before, behind
    /// Where this head is.
    case head(UInt64)
}

/// A node of a document tree, in one allocation: the header, `capacity` key heads, and as many
/// references: to documents in a leaf, to nodes of the level below in an inner node.
///
/// A head is eight bytes that order ids as far as eight bytes can, so that most of a search reads
/// the node alone. Which eight, the node's form tells: ids often begin alike (`python3-…`, the time
/// in a UUIDv7), and neighbours in the order all the more, so each node skips what its ids share.
/// A node is given the best form when it is split, joined or built; an insert from outside the
/// form widens it.
///
/// Head i of an inner node is a lower bound for the heads under child i, and no head under
/// child i − 1 is above it; head 0 is never looked at. Where heads are equal, the first document
/// under the child decides, so separators need no key of their own and keep no document alive.
final class TreeNode: ManagedBuffer<TreeNodeHeader, UInt64> {
    /// Slots of a node: 64 make a node of 1 KiB, whose copy under a snapshot costs about 1 µs.
    static let fanOut = 64

    /// Makes an empty node.
    static func make(level: Int32) -> TreeNode {
        let node = unsafeDowncast(
            TreeNode.create(minimumCapacity: fanOut * 2) { _ in
                TreeNodeHeader(level: level)
            }, to: TreeNode.self)
        let references = UnsafeMutableRawPointer(node.heads + fanOut)
        // SAFETY: the second half of the slots is bound once, here, by the level that never changes.
        if level == 0 {
            references.bindMemory(to: Document.self, capacity: fanOut)
        } else {
            references.bindMemory(to: TreeNode.self, capacity: fanOut)
        }
        return node
    }

    deinit {
        if level == 0 {
            documents.deinitialize(count: count)
        } else {
            children.deinitialize(count: count)
        }
    }

    @inline(__always)
    var count: Int {
        get { Int(headerPointer.pointee.count) }
        set { headerPointer.pointee.count = Int32(truncatingIfNeeded: newValue) }
    }

    @inline(__always)
    var level: Int32 { headerPointer.pointee.level }

    // SAFETY: the slots lie in the node's own allocation and stay in place while it lives; every
    // user of these pointers holds the node.
    @inline(__always)
    var heads: UnsafeMutablePointer<UInt64> {
        withUnsafeMutablePointerToElements { $0 }
    }

    /// The documents of a leaf.
    @inline(__always)
    var documents: UnsafeMutablePointer<Document> {
        UnsafeMutableRawPointer(heads + Self.fanOut).assumingMemoryBound(to: Document.self)
    }

    /// The children of an inner node.
    @inline(__always)
    var children: UnsafeMutablePointer<TreeNode> {
        UnsafeMutableRawPointer(heads + Self.fanOut).assumingMemoryBound(to: TreeNode.self)
    }

    /// A node with the same slots, each reference retained once more.
    func copied() -> TreeNode {
        let copy = TreeNode.make(level: level)
        copy.headerPointer.pointee = headerPointer.pointee
        copy.heads.update(from: heads, count: count)
        if level == 0 {
            copy.documents.initialize(from: documents, count: count)
        } else {
            copy.children.initialize(from: children, count: count)
        }
        return copy
    }

    /// The first document under this node, which is not empty.
    var firstDocument: Document {
        var node = self
        while node.level > 0 { node = node.children[0] }
        return node.documents[0]
    }

    /// The last document under this node, which is not empty.
    var lastDocument: Document {
        var node = self
        while node.level > 0 { node = node.children[node.count - 1] }
        return node.documents[node.count - 1]
    }

    /// In a leaf: the first slot whose document does not come before `key`, and whether its id is
    /// `key`.
    func lowerBound(_ key: IDKey) -> (index: Int, found: Bool) {
        let wanted: UInt64
        switch place(of: key) {
        case .before: return (0, false)
        case .behind: return (count, false)
        case .head(let head): wanted = head
        }
        // Ids are often made in ascending order, so the place behind the last is asked for first.
        if count > 0, heads[count - 1] < wanted { return (count, false) }
        var low = rank(of: wanted, from: 0)
        var high = low
        while high < count, heads[high] == wanted { high += 1 }
        let addresses = Document.addresses(documents)
        while low < high {
            let middle = (low + high) >> 1
            let order = key.compare(addresses[middle])
            if order == 0 { return (middle, true) }
            if order > 0 { low = middle + 1 } else { high = middle }
        }
        return (low, false)
    }

    /// In an inner node: the child under which `key` is, or would be.
    func childIndex(_ key: IDKey) -> Int {
        let wanted: UInt64
        switch place(of: key) {
        case .before: return 0
        case .behind: return count - 1
        case .head(let head): wanted = head
        }
        var low = rank(of: wanted, from: 1)
        var high = low
        while high < count, heads[high] == wanted { high += 1 }
        while low < high {
            let middle = (low + high) >> 1
            if key.compare(children[middle].firstDocument.address) >= 0 {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low - 1
    }

    /// The first slot from `start` on whose head is not below `wanted`.
    ///
    /// Eight heads a step and then one by one without branches: a search by halves has six branches
    /// that nobody can predict, and each waits for memory that the one before it asks for.
    @inline(__always)
    private func rank(of wanted: UInt64, from start: Int) -> Int {
        let heads = self.heads
        let count = self.count
        var low = start
        while low + 8 <= count, heads[low + 7] < wanted { low += 8 }
        let end = min(low + 8, count)
        var rank = low
        for index in low..<max(low, end) { rank += heads[index] < wanted ? 1 : 0 }
        return rank
    }

    /// Reads a byte of each cache line of the heads.
    @inline(__always)
    var touched: UInt64 {
        let heads = self.heads
        var sum: UInt64 = 0
        for line in 0..<Self.fanOut / 8 { sum ^= heads[line * 8] }
        return sum
    }

    /// Reads the header and the references of the leaf that is child `index`, if there is one: a
    /// scan that is in the leaf before finds them in the cache.
    @inline(__always)
    func touchChild(_ index: Int) -> UInt {
        guard index < count else { return 0 }
        // SAFETY: this node keeps the child.
        return Unmanaged<TreeNode>.fromOpaque(addresses[index])._withUnsafeGuaranteedRef { leaf in
            var sum = UInt(bitPattern: leaf.count)
            let used = leaf.count
            var slot = 0
            while slot < used {
                sum ^= UInt(bitPattern: leaf.addresses[slot])
                slot += 8
            }
            return sum
        }
    }

    /// Where the references lie, one after the other, as addresses.
    @inline(__always)
    var addresses: UnsafePointer<UnsafeRawPointer> {
        UnsafeRawPointer(heads + Self.fanOut).assumingMemoryBound(to: UnsafeRawPointer.self)
    }

    // MARK: Heads

    @inline(__always)
    private func place(of key: IDKey) -> HeadPlace {
        switch headerPointer.pointee.form {
        case .mixed:
            return .head(EntityID.orderPrefix(key.text))
        case .integers:
            guard let integer = key.integer else { return .behind }
            return .head(Self.head(integer))
        case .texts:
            guard key.integer == nil else { return .before }
            let count = Int(headerPointer.pointee.prefixCount)
            let order = comparePrefix(key.text, count)
            if order != 0 { return order < 0 ? .before : .behind }
            return .head(IDKey.word(key.text, from: count))
        }
    }

    @inline(__always)
    private static func head(_ integer: Int64) -> UInt64 {
        UInt64(bitPattern: integer) ^ (1 << 63)
    }

    /// How `text` stands to the prefix: 0 where it begins with it.
    @inline(__always)
    private func comparePrefix(_ text: UnsafeRawBufferPointer, _ count: Int) -> Int {
        guard count > 0, let start = text.baseAddress else { return 0 }
        return withUnsafeMutablePointerToHeader { header in
            let order = memcmp(start, header, min(count, text.count))
            return order != 0 ? Int(order) : text.count < count ? -1 : 0
        }
    }

    /// The head of an id that fits the form.
    func head(of text: UnsafeRawBufferPointer) -> UInt64 {
        switch headerPointer.pointee.form {
        case .mixed: EntityID.orderPrefix(text)
        case .integers: EntityID.integer(of: text).map(Self.head) ?? 0
        case .texts: IDKey.word(text, from: Int(headerPointer.pointee.prefixCount))
        }
    }

    /// Whether `key` can stand under this node without a change of its form.
    func fits(_ key: IDKey) -> Bool {
        if case .head = place(of: key) { return true }
        return false
    }

    /// Gives the node the best form for what is under it and for `key`, if one is to come, and
    /// computes its heads anew. Reads every document of a leaf, the first under each child.
    func reform(for key: IDKey? = nil) {
        guard count > 0 else { return }
        var low = IDKey(firstDocument.idBytes)
        var high = IDKey(lastDocument.idBytes)
        if let key {
            if EntityID.compare(key.text, low.text) < 0 { low = key }
            if EntityID.compare(key.text, high.text) > 0 { high = key }
        }
        // Everything under the node is between these two, and begins as both do.
        headerPointer.pointee.prefixCount = 0
        if high.integer != nil {
            headerPointer.pointee.form = .integers
        } else if low.integer != nil {
            headerPointer.pointee.form = .mixed
        } else {
            headerPointer.pointee.form = .texts
            let limit = min(TreeNodeHeader.prefixLimit, low.text.count, high.text.count)
            var shared = 0
            while shared < limit, low.text[shared] == high.text[shared] { shared += 1 }
            withUnsafeMutablePointerToHeader { header in
                UnsafeMutableRawBufferPointer(start: header, count: shared)
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: low.text[..<shared]))
                header.pointee.prefixCount = UInt8(truncatingIfNeeded: shared)
            }
        }
        for index in 0..<count {
            let document = level == 0 ? documents[index] : children[index].firstDocument
            heads[index] = head(of: document.idBytes)
        }
    }

    // MARK: Slots

    /// In a leaf that is not full: puts `document`, which fits the form, at `index`.
    func insert(_ document: Document, at index: Int) {
        let heads = self.heads
        let documents = self.documents
        let moved = count - index
        if moved > 0 {
            (heads + index + 1).update(from: heads + index, count: moved)
            (documents + index + 1).moveInitialize(from: documents + index, count: moved)
        }
        heads[index] = head(of: document.idBytes)
        (documents + index).initialize(to: document)
        count += 1
    }

    /// In an inner node that is not full: puts `child` at `index`.
    func insert(_ child: TreeNode, at index: Int) {
        let heads = self.heads
        let children = self.children
        let moved = count - index
        if moved > 0 {
            (heads + index + 1).update(from: heads + index, count: moved)
            (children + index + 1).moveInitialize(from: children + index, count: moved)
        }
        heads[index] = head(of: child.firstDocument.idBytes)
        (children + index).initialize(to: child)
        count += 1
    }

    /// In a leaf that is being built: puts `document` last; `reform` then makes its head.
    func append(_ document: Document) {
        (documents + count).initialize(to: document)
        count += 1
    }

    /// In an inner node that is being built: puts `child` last; `reform` then makes its head.
    func append(_ child: TreeNode) {
        (children + count).initialize(to: child)
        count += 1
    }

    /// In a leaf: takes the document at `index` out.
    func removeDocument(at index: Int) -> Document {
        let document = (documents + index).move()
        let moved = count - index - 1
        if moved > 0 {
            (heads + index).update(from: heads + index + 1, count: moved)
            (documents + index).moveInitialize(from: documents + index + 1, count: moved)
        }
        count -= 1
        return document
    }

    /// In an inner node: takes the child at `index` out.
    func removeChild(at index: Int) {
        (children + index).deinitialize(count: 1)
        let moved = count - index - 1
        if moved > 0 {
            (heads + index).update(from: heads + index + 1, count: moved)
            (children + index).moveInitialize(from: children + index + 1, count: moved)
        }
        count -= 1
    }

    /// Moves the slots from `start` on to the end of `other`, a node of the same level with room.
    func moveSlots(from start: Int, to other: TreeNode) {
        let moved = count - start
        let end = other.count
        (other.heads + end).update(from: heads + start, count: moved)
        if level == 0 {
            (other.documents + end).moveInitialize(from: documents + start, count: moved)
        } else {
            (other.children + end).moveInitialize(from: children + start, count: moved)
        }
        other.count = end + moved
        count = start
    }

    /// Splits a full node: the slots from `start` on move to a new node, which is returned. Neither
    /// has the best form yet.
    func split(at start: Int) -> TreeNode {
        let right = TreeNode.make(level: level)
        right.headerPointer.pointee.form = headerPointer.pointee.form
        right.headerPointer.pointee.prefix = headerPointer.pointee.prefix
        right.headerPointer.pointee.prefixCount = headerPointer.pointee.prefixCount
        moveSlots(from: start, to: right)
        return right
    }
}
