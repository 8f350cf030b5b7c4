package import FreshetBase

/// JSON Merge Patch (RFC 7396).
package enum JSONMergePatch {
    /// Appends `target` with `patch` applied, in canonical form.
    ///
    /// What the patch does not touch keeps its place and its bytes; new members stand at the end,
    /// in the patch's order.
    ///
    /// - Parameters:
    ///   - patch: Canonical, and so is `target`.
    ///   - target: Nothing is as good as an empty object.
    ///   - depthLimit: How deep the result may nest.
    /// - Throws: `.tooDeep` at the patch's offset that nests too deep; nothing else. The buffer
    ///   then holds a part of the result, which the caller drops.
    /// - Complexity: O(bytes of both) for each level of objects that the patch enters: its bytes
    ///   are passed once to find where a member ends and again inside of it.
    package static func apply(
        patch: JSONView, to target: JSONView?, into buffer: inout ByteBuffer,
        depthLimit: Int = JSONScanner.documentDepth
    ) throws(JSONFault) {
        var merge = Merge(origin: patch, depthLimit: min(depthLimit, JSONScanner.highestDepth))
        try merge.value(patch, over: target, depth: 0, into: &buffer)
    }

    private struct Merge {
        let origin: JSONView
        let depthLimit: Int

        mutating func value(
            _ patch: JSONView, over target: JSONView?, depth: Int, into buffer: inout ByteBuffer
        ) throws(JSONFault) {
            guard patch.kind == .object else {
                guard depth + JSONMergePatch.depth(of: patch) <= depthLimit else {
                    throw tooDeep(patch)
                }
                return buffer.append(patch.bytes)
            }
            guard depth < depthLimit else { throw tooDeep(patch) }
            let changes = MemberLookup(Array(patch.members))
            var isApplied = [Bool](repeating: false, count: changes.members.count)
            buffer.append(UInt8(ascii: "{"))
            let start = buffer.count
            if let target {
                for member in target.members {
                    guard let position = changes.position(of: member.name) else {
                        JSONMergePatch.appendName(member.name, from: start, to: &buffer)
                        buffer.append(member.value.bytes)
                        continue
                    }
                    isApplied[position] = true
                    let change = changes.members[position].value
                    guard !change.isNull else { continue }
                    JSONMergePatch.appendName(member.name, from: start, to: &buffer)
                    try value(change, over: member.value, depth: depth + 1, into: &buffer)
                }
            }
            for (position, member) in changes.members.enumerated() {
                guard !isApplied[position], !member.value.isNull else { continue }
                JSONMergePatch.appendName(member.name, from: start, to: &buffer)
                try value(member.value, over: nil, depth: depth + 1, into: &buffer)
            }
            buffer.append(UInt8(ascii: "}"))
        }

        private func tooDeep(_ patch: JSONView) -> JSONFault {
            guard let start = origin.base, let place = patch.base else {
                return JSONFault(.tooDeep, at: 0)
            }
            return JSONFault(.tooDeep, at: place - start)
        }

    }

    /// Appends a member's name and what separates it from the member before it, of an object whose
    /// members begin at `start`.
    static func appendName(
        _ name: UnsafeRawBufferPointer, from start: Int, to buffer: inout ByteBuffer
    ) {
        if buffer.count > start { buffer.append(UInt8(ascii: ",")) }
        buffer.append(UInt8(ascii: "\""))
        buffer.append(name)
        buffer.append("\":")
    }

    /// How deep a value nests: 0 for scalars. O(bytes).
    static func depth(of view: JSONView) -> Int {
        guard let base = view.base, view.kind == .array || view.kind == .object else { return 0 }
        return JSONLexis.depth(base, view.count)
    }
}

extension JSONLexis {
    /// The deepest nesting in a canonical value of `end` bytes.
    static func depth(_ base: UnsafeRawPointer, _ end: Int) -> Int {
        var offset = 0
        var depth = 0
        var deepest = 0
        while offset < end {
            let byte = base.load(fromByteOffset: offset, as: UInt8.self)
            offset += 1
            if byte == quote {
                offset = stringEnd(base, from: offset, to: end)
            } else if byte | 0x20 == UInt8(ascii: "{") {
                depth += 1
                deepest = max(deepest, depth)
            } else if byte | 0x20 == UInt8(ascii: "}") {
                depth -= 1
            }
        }
        return deepest
    }
}
