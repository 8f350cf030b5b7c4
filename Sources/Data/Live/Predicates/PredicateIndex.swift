// The predicate index: of very many standing filters, those that one change may concern.
//
// It is a search index turned round: filters are stored, documents are the questions. A filter is
// taken as a disjunction of conjunctions (`AccessPlan`), and each disjunct is registered where a
// document must look that it is true of:
//
//     signature   the set of fields that a disjunct fixes: equal fields, an array with a certain
//                 element, a field with a range. As many as there are kinds of queries, not queries.
//     bucket      the disjuncts of one signature with the same values: found by one hash of the
//                 values. Equality of values is that of filters: numbers by value, null as absent.
//     place       one disjunct in its bucket, with its interval; where the signature has no range,
//                 the interval is everything. Few places are a list, many with a range are a set
//                 of the `IntervalForest`.
//
// A disjunct that fixes nothing has the empty signature, whose one bucket is the residual list. So
// equality, id, `in` (a place per value), `has` (a place per element), ranges and residual are one
// mechanism. For a change, each signature is asked with the values of both images (once, if they
// agree on its fields): O(signatures + log of the intervals + candidates).
//
// Answers are generous: hashes and heads may agree where values do not, and conjuncts that did not
// choose the place are not looked at. The caller asks the filter itself. But nothing is missed:
// where a disjunct is true of a document, the document's keys lead to its place.
//
// The places of one group are chained, so removal follows the chain and searches nothing.

package import FreshetQuery

/// How a filter is found, from the most to the least selective way; for `hello` and `/v1/_live`.
package enum IndexClass: String, Sendable {
    /// The filter is false of everything; nothing needs to be found.
    case none
    case hash
    case hashAndRange = "hash+range"
    case range
    /// Asked about every change of the type.
    case residual
}

extension IndexClass {
    private var place: Int {
        switch self {
        case .none: 0
        case .hash: 1
        case .hashAndRange: 2
        case .range: 3
        case .residual: 4
        }
    }

    /// The less selective of both.
    func orLess(_ other: IndexClass) -> IndexClass { place < other.place ? other : self }
}

extension AccessPlan {
    /// How the filter is found.
    var indexClass: IndexClass { accesses.reduce(.none) { $0.orLess($1.indexClass) } }
}

extension AccessPlan.Access {
    var indexClass: IndexClass {
        let isHashed = !equal.isEmpty || element != nil
        if range != nil { return isHashed ? .hashAndRange : .range }
        return isHashed ? .hash : .residual
    }
}

/// Where one filter stands in a `PredicateIndex`; what its removal needs.
package struct Registration: Sendable {
    fileprivate let first: Int32
    package let indexClass: IndexClass
}

/// One disjunct's entry.
struct Place {
    /// Heads that it wants; everything where its signature has no range.
    var low: UInt64
    var high: UInt64
    var slot: Int32
    /// The next place of the same registration, or of the free ones; -1 at the end.
    var sibling: Int32
    var bucket: Int32
    /// Neighbours in the bucket's list, or -1. In a set of intervals `previous` is the leaf.
    var next: Int32 = -1
    var previous: Int32 = -1
}

/// The standing filters of one type, by what a document must have to match them.
///
/// For one thread at a time. Memory grows with the places and is given back when the last filter
/// leaves; what a filter leaves is used by the next.
package final class PredicateIndex {
    // A struct, so that one access check covers a whole call.
    private var tables = PredicateTables()

    package init() {}

    /// Adds a filter.
    ///
    /// - Parameters:
    ///   - filter: In any form; nil is true of everything.
    ///   - ids: The ids asked for; nothing else matches then.
    ///   - slot: The number that stands for the filter: 0 or more, dense, since a stamp is kept for
    ///     each up to the highest; several filters may share one.
    /// - Returns: What `remove` wants.
    /// - Complexity: That of `Filter.canonical()`, and O(log n) per place; a list of values has a
    ///   place for each.
    package func insert(_ filter: Filter?, ids: [EntityID]? = nil, slot: Int32) -> Registration {
        insert(AccessPlan(filter, ids: ids), slot: slot)
    }

    /// The same for a plan made before, on whichever thread.
    func insert(_ plan: AccessPlan, slot: Int32) -> Registration {
        precondition(slot >= 0, "slots count from 0")
        return tables.insert(plan, slot: slot)
    }

    /// Removes a filter: once. O(places of it), and O(log n) for each in a set of intervals.
    package func remove(_ registration: Registration) {
        tables.remove(registration)
    }

    /// Appends the slot of every filter that may be true of `old` or `new`, each slot once.
    ///
    /// - Complexity: O(paths + signatures + candidates), and O(log n) per set of intervals.
    package func candidates(old: Document?, new: Document?, into slots: inout [Int32]) {
        tables.collect(old, new, into: &slots)
    }

    /// Whether no filter has a place.
    package var isEmpty: Bool { tables.placeCount == 0 }

    /// Places of disjuncts; sets of fields; places that are asked about every change.
    package var counts: (places: Int, signatures: Int, residual: Int) {
        (tables.placeCount, tables.signatureCount, tables.residualCount)
    }

    /// The bytes held.
    package var byteCount: Int { tables.byteCount }
}

/// What the index consists of.
private struct PredicateTables {
    private struct Signature {
        var shape: SignatureShape
        /// Distinguishes its buckets from those of other signatures.
        var seed: UInt64
        var placeCount = 0
        /// Where it stands in `active`.
        var position: Int
    }

    private struct Bucket {
        var key: UInt64
        var signature: Int32
        var count: Int32 = 0
        /// The first place of a list, -1 where the places are a set of intervals.
        var first: Int32 = -1
        /// The root of the set, -1 where they are a list; for a free bucket the next free one.
        var root: Int32 = -1
    }

    /// Places with a range that are kept as a list: under this, reading all is the fastest.
    private static let longestRangeList = 8

    private var places: [Place] = []
    private var firstFreePlace: Int32 = -1
    private(set) var placeCount = 0
    private var buckets: [Bucket] = []
    private var firstFreeBucket: Int32 = -1
    private var bucketByKey = KeyTable()
    private var forest = IntervalForest()
    private var signatures: [Signature] = []
    private var freeSignatures: [Int32] = []
    /// Those that have places, in no order.
    private var active: [Int32] = []
    private var signatureByShape: [SignatureShape: Int32] = [:]
    private var paths: [IndexedPath] = []
    private var freePaths: [Int32] = []
    private var numberByPath: [PropertyPath: Int32] = [:]

    /// Per slot, the number of the change that has found it last.
    private var stamps: [UInt32] = []
    private var change: UInt32 = 0
    private var oldKeys = DocumentKeys()
    private var newKeys = DocumentKeys()
    private var found: [Int32] = []

    var signatureCount: Int { active.count }

    var residualCount: Int {
        signatureByShape[SignatureShape()].map { signatures[Int($0)].placeCount } ?? 0
    }

    var byteCount: Int {
        places.capacity * MemoryLayout<Place>.stride
            + buckets.capacity * MemoryLayout<Bucket>.stride + bucketByKey.byteCount
            + forest.byteCount + stamps.capacity * MemoryLayout<UInt32>.stride
            + signatures.capacity * MemoryLayout<Signature>.stride
    }

    // MARK: Coming and going

    mutating func insert(_ plan: AccessPlan, slot: Int32) -> Registration {
        while stamps.count <= Int(slot) { stamps.append(0) }
        var first: Int32 = -1
        var worst = IndexClass.none
        for access in plan.accesses {
            var access = access
            var signature = signature(of: access)
            var key = key(of: access, signatures[Int(signature)])
            let known = bucketByKey.value(of: key)
            if known >= 0, buckets[Int(known)].signature != signature {
                // Two of 64 keyed bits: chance will not have it, but a miss must be impossible.
                if signatures[Int(signature)].placeCount == 0 { retire(signature) }
                access = AccessPlan.Access()
                signature = self.signature(of: access)
                key = signatures[Int(signature)].seed
            }
            let bucket = bucket(key, signature)
            let heads = access.range?.heads ?? 0...UInt64.max
            let place = makePlace(
                Place(
                    low: heads.lowerBound, high: heads.upperBound, slot: slot, sibling: first,
                    bucket: bucket))
            link(place, Int(bucket))
            signatures[Int(signature)].placeCount += 1
            first = place
            worst = worst.orLess(access.indexClass)
        }
        return Registration(first: first, indexClass: worst)
    }

    mutating func remove(_ registration: Registration) {
        var place = registration.first
        while place >= 0 {
            let sibling = places[Int(place)].sibling
            let bucket = Int(places[Int(place)].bucket)
            unlink(place, bucket)
            let signature = buckets[bucket].signature
            if buckets[bucket].count == 0 {
                bucketByKey.remove(buckets[bucket].key)
                buckets[bucket].root = firstFreeBucket
                firstFreeBucket = Int32(bucket)
            }
            places[Int(place)].sibling = firstFreePlace
            firstFreePlace = place
            placeCount -= 1
            signatures[Int(signature)].placeCount -= 1
            if signatures[Int(signature)].placeCount == 0 { retire(signature) }
            place = sibling
        }
        if placeCount == 0 { self = PredicateTables() }
    }

    private mutating func makePlace(_ place: Place) -> Int32 {
        placeCount += 1
        if firstFreePlace >= 0 {
            let number = firstFreePlace
            firstFreePlace = places[Int(number)].sibling
            places[Int(number)] = place
            return number
        }
        places.append(place)
        return Int32(places.count - 1)
    }

    private mutating func bucket(_ key: UInt64, _ signature: Int32) -> Int32 {
        let known = bucketByKey.value(of: key)
        if known >= 0 { return known }
        let fresh = Bucket(key: key, signature: signature)
        var number = firstFreeBucket
        if number >= 0 {
            firstFreeBucket = buckets[Int(number)].root
            buckets[Int(number)] = fresh
        } else {
            number = Int32(buckets.count)
            buckets.append(fresh)
        }
        bucketByKey.insert(key, number)
        return number
    }

    private mutating func link(_ place: Int32, _ bucket: Int) {
        buckets[bucket].count += 1
        let range = signatures[Int(buckets[bucket].signature)].shape.range
        if range >= 0, buckets[bucket].root < 0,
            Int(buckets[bucket].count) > Self.longestRangeList
        {
            buckets[bucket].root = forest.makeSet()
            var next = buckets[bucket].first
            buckets[bucket].first = -1
            while next >= 0 {
                let moved = next
                next = places[Int(moved)].next
                forest.insert(moved, in: &buckets[bucket].root, &places)
            }
        }
        if buckets[bucket].root >= 0 {
            forest.insert(place, in: &buckets[bucket].root, &places)
            return
        }
        let first = buckets[bucket].first
        places[Int(place)].next = first
        places[Int(place)].previous = -1
        if first >= 0 { places[Int(first)].previous = place }
        buckets[bucket].first = place
    }

    private mutating func unlink(_ place: Int32, _ bucket: Int) {
        buckets[bucket].count -= 1
        if buckets[bucket].root >= 0 {
            _ = forest.remove(place, from: &buckets[bucket].root, &places)
            return
        }
        let (previous, next) = (places[Int(place)].previous, places[Int(place)].next)
        if next >= 0 { places[Int(next)].previous = previous }
        if previous >= 0 {
            places[Int(previous)].next = next
        } else {
            buckets[bucket].first = next
        }
    }

    // MARK: Signatures

    private mutating func signature(of access: AccessPlan.Access) -> Int32 {
        var shape = SignatureShape()
        // A fixed order of fields: that of their numbers.
        for number in access.equal.keys.map({ number(of: $0) }).sorted() {
            shape.equal[shape.equalCount] = number
            shape.equalCount += 1
        }
        if let element = access.element { shape.element = number(of: element.path) }
        if let range = access.range { shape.range = number(of: range.path) }
        if let known = signatureByShape[shape] { return known }
        let free = freeSignatures.popLast() ?? Int32(signatures.count)
        var seed = ValueKey.constant(UInt64(free) << 8)
        // The seed of the empty signature is its one key.
        while bucketByKey.value(of: seed) >= 0 { seed &+= 1 }
        let fresh = Signature(shape: shape, seed: seed, position: active.count)
        if free == signatures.count {
            signatures.append(fresh)
        } else {
            signatures[Int(free)] = fresh
        }
        active.append(free)
        signatureByShape[shape] = free
        count(shape, by: 1)
        return free
    }

    private mutating func retire(_ signature: Int32) {
        let shape = signatures[Int(signature)].shape
        signatureByShape[shape] = nil
        count(shape, by: -1)
        let position = signatures[Int(signature)].position
        if let last = active.popLast(), last != signature {
            active[position] = last
            signatures[Int(last)].position = position
        }
        freeSignatures.append(signature)
    }

    private mutating func count(_ shape: SignatureShape, by change: Int) {
        for index in 0..<shape.equalCount {
            let number = shape.equal[index]
            paths[Int(number)].equalUses += change
            freeIfUnused(number)
        }
        if shape.element >= 0 {
            paths[Int(shape.element)].elementUses += change
            freeIfUnused(shape.element)
        }
        if shape.range >= 0 {
            paths[Int(shape.range)].rangeUses += change
            freeIfUnused(shape.range)
        }
    }

    private mutating func freeIfUnused(_ number: Int32) {
        // A path can stand in two parts of a shape, but is free only once.
        let path = paths[Int(number)]
        guard !path.isUsed, numberByPath[path.path] == number else { return }
        numberByPath[path.path] = nil
        freePaths.append(number)
    }

    private mutating func number(of path: PropertyPath) -> Int32 {
        if let known = numberByPath[path] { return known }
        let number = freePaths.popLast() ?? Int32(paths.count)
        if Int(number) == paths.count {
            paths.append(IndexedPath(path))
        } else {
            paths[Int(number)] = IndexedPath(path)
        }
        numberByPath[path] = number
        return number
    }

    private func key(of access: AccessPlan.Access, _ signature: Signature) -> UInt64 {
        var key = signature.seed
        for index in 0..<signature.shape.equalCount {
            let path = paths[Int(signature.shape.equal[index])].path
            key = ValueKey.combine(key, access.equal[path] ?? 0)
        }
        if let element = access.element { key = ValueKey.combine(key, element.hash) }
        return key
    }

    // MARK: Asking

    mutating func collect(_ old: Document?, _ new: Document?, into slots: inout [Int32]) {
        if placeCount == 0 { return }
        change &+= 1
        if change == 0 {
            for slot in stamps.indices { stamps[slot] = 0 }
            change = 1
        }
        if let old { oldKeys.read(old, paths) }
        if let new { newKeys.read(new, paths) }
        for number in active {
            let signature = signatures[Int(number)]
            if old != nil { ask(signature, old: true, into: &slots) }
            if new != nil, old == nil || differs(signature.shape) {
                ask(signature, old: false, into: &slots)
            }
        }
    }

    /// Whether the two images may lead to different places of a signature.
    private func differs(_ shape: SignatureShape) -> Bool {
        for index in 0..<shape.equalCount {
            let number = Int(shape.equal[index])
            if oldKeys.hashes[number] != newKeys.hashes[number] { return true }
        }
        if shape.range >= 0, oldKeys.heads[Int(shape.range)] != newKeys.heads[Int(shape.range)] {
            return true
        }
        return shape.element >= 0
            && !oldKeys.hasSameElements(as: newKeys, at: Int(shape.element))
    }

    private mutating func ask(
        _ signature: Signature, old isOld: Bool, into slots: inout [Int32]
    ) {
        let (key, head) =
            isOld
            ? oldKeys.question(signature.shape, signature.seed)
            : newKeys.question(signature.shape, signature.seed)
        let path = Int(signature.shape.element)
        guard path >= 0 else { return ask(key, head, into: &slots) }
        for index in isOld ? oldKeys.elementRanges[path] : newKeys.elementRanges[path] {
            let element = isOld ? oldKeys.elements[index] : newKeys.elements[index]
            ask(ValueKey.combine(key, element), head, into: &slots)
        }
    }

    private mutating func ask(_ key: UInt64, _ head: UInt64, into slots: inout [Int32]) {
        let number = bucketByKey.value(of: key)
        guard number >= 0 else { return }
        let bucket = buckets[Int(number)]
        if bucket.root >= 0 {
            found.removeAll(keepingCapacity: true)
            forest.collect(bucket.root, holding: head, into: &found)
            for place in found { stamp(places[Int(place)].slot, into: &slots) }
            return
        }
        var next = bucket.first
        while next >= 0 {
            let place = places[Int(next)]
            if place.low <= head, head <= place.high { stamp(place.slot, into: &slots) }
            next = place.next
        }
    }

    @inline(__always)
    private mutating func stamp(_ slot: Int32, into slots: inout [Int32]) {
        guard stamps[Int(slot)] != change else { return }
        stamps[Int(slot)] = change
        slots.append(slot)
    }
}
