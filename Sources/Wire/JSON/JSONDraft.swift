package import FreshetBase

/// An object that takes several merge patches (RFC 7396) before it becomes text again.
///
/// Only the objects that a patch enters are decoded; everything else stays the text it was. So a
/// patch costs what it says itself, not what the object is worth: `JSONMergePatch` passes all bytes
/// of its target each time. One thread at a time.
package final class JSONDraft {
    private enum Value {
        case text(JSONView)
        /// An index into `objects`.
        case object(Int)
    }

    private struct Member {
        let name: UnsafeRawBufferPointer
        var value: Value
        var isThere = true
    }

    /// Canonical names are equal exactly if their bytes are. Keyed with the process's random key.
    private struct Name: Hashable {
        let bytes: UnsafeRawBufferPointer

        static func == (left: Name, right: Name) -> Bool {
            JSONText.areSame(left.bytes, right.bytes)
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(SeededHash.process.hash(bytes))
        }
    }

    private struct Object {
        /// In order, removed ones included.
        var members: [Member] = []
        /// Positions of those that are there.
        var positions: [Name: Int] = [:]

        mutating func append(_ name: UnsafeRawBufferPointer, _ value: Value) {
            positions[Name(bytes: name)] = members.count
            members.append(Member(name: name, value: value))
        }

        mutating func remove(_ name: UnsafeRawBufferPointer) {
            guard let position = positions.removeValue(forKey: Name(bytes: name)) else { return }
            members[position].isThere = false
        }
    }

    private var objects: [Object] = []
    /// The patches, whose text the values are views of.
    private var patches: [UnsafeMutableRawBufferPointer] = []
    private let depthLimit: Int

    /// - Parameter object: An object, canonical; kept alive by the caller as long as the draft is used.
    package init(_ object: JSONView, depthLimit: Int = JSONScanner.documentDepth) {
        self.depthLimit = min(depthLimit, JSONScanner.highestDepth)
        // The object itself is the first of `objects`.
        _ = decoded(.text(object))
    }

    deinit {
        for patch in patches { patch.deallocate() }
    }

    /// Applies `patch`, an object in canonical form, as `JSONMergePatch` would.
    ///
    /// - Parameter identifier: A member of the object itself that is taken over where something else
    ///   changes, and is no change by itself.
    /// - Returns: Whether a value has become another; numbers are compared by value. Where not, the
    ///   draft is as it was.
    /// - Throws: `.tooDeep`; the draft must not be used any more.
    package func apply(
        _ patch: UnsafeRawBufferPointer, identifier: StaticString
    ) throws(JSONFault) -> Bool {
        guard changes(0, by: JSONView(canonical: patch), besides: identifier) else { return false }
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: patch.count, alignment: 1)
        copy.copyMemory(from: patch)
        patches.append(copy)
        try merge(JSONView(canonical: UnsafeRawBufferPointer(copy)), into: 0, depth: 0)
        return true
    }

    /// Appends the object as it is now, in canonical form.
    package func append(to buffer: inout ByteBuffer) {
        append(.object(0), to: &buffer)
    }

    /// The decoded form of a value if it is an object.
    private func decoded(_ value: Value) -> Int? {
        switch value {
        case .object(let index): return index
        case .text(let view):
            guard view.kind == .object else { return nil }
            var object = Object()
            for member in view.members { object.append(member.name, .text(member.value)) }
            objects.append(object)
            return objects.count - 1
        }
    }

    /// Would the patch change a value of the object? What it enters is decoded.
    private func changes(
        _ index: Int, by patch: JSONView, besides identifier: StaticString? = nil
    ) -> Bool {
        for member in patch.members {
            if let identifier, member.isNamed(identifier) { continue }
            guard let position = objects[index].positions[Name(bytes: member.name)] else {
                if !member.value.isNull { return true }
                continue
            }
            if member.value.isNull { return true }
            let target = objects[index].members[position].value
            guard member.value.kind == .object else {
                guard case .text(let view) = target, JSONEquality.equal(view, member.value) else {
                    return true
                }
                continue
            }
            guard let inner = decoded(target) else { return true }
            objects[index].members[position].value = .object(inner)
            if changes(inner, by: member.value) { return true }
        }
        return false
    }

    private func merged(
        _ value: Value?, with patch: JSONView, depth: Int
    ) throws(JSONFault) -> Value {
        guard patch.kind == .object else {
            guard depth + JSONMergePatch.depth(of: patch) <= depthLimit else { throw tooDeep }
            return .text(patch)
        }
        if let index = value.flatMap({ decoded($0) }) {
            try merge(patch, into: index, depth: depth)
            return .object(index)
        }
        objects.append(Object())
        let index = objects.count - 1
        try merge(patch, into: index, depth: depth)
        return .object(index)
    }

    private func merge(_ patch: JSONView, into index: Int, depth: Int) throws(JSONFault) {
        guard depth < depthLimit else { throw tooDeep }
        for member in patch.members {
            guard let position = objects[index].positions[Name(bytes: member.name)] else {
                if member.value.isNull { continue }
                let made = try merged(nil, with: member.value, depth: depth + 1)
                objects[index].append(member.name, made)
                continue
            }
            if member.value.isNull {
                objects[index].remove(member.name)
                continue
            }
            let target = objects[index].members[position].value
            let made = try merged(target, with: member.value, depth: depth + 1)
            objects[index].members[position].value = made
        }
    }

    private var tooDeep: JSONFault { JSONFault(.tooDeep, at: 0) }

    private func append(_ value: Value, to buffer: inout ByteBuffer) {
        switch value {
        case .text(let view): buffer.append(view.bytes)
        case .object(let index):
            buffer.append(UInt8(ascii: "{"))
            let start = buffer.count
            for member in objects[index].members where member.isThere {
                JSONMergePatch.appendName(member.name, from: start, to: &buffer)
                append(member.value, to: &buffer)
            }
            buffer.append(UInt8(ascii: "}"))
        }
    }
}
