extension SpecEvaluation {
    /// The first leaf, in reading order, that has a share in its not being satisfied; nil where it is.
    package var holdingLeaf: Node? {
        isSatisfied || trace.isEmpty ? nil : leaf(from: 0, wanted: true).map { trace[$0] }
    }

    /// The first leaf of a node that has a share in its not being `wanted`: of a conjunction that
    /// should hold one that does not, of one that should not each.
    private func leaf(from place: Int, wanted: Bool) -> Int? {
        let node = trace[place]
        guard node.value != wanted else { return nil }
        let parts = parts(of: place).places
        for part in parts {
            if let found = leaf(from: part, wanted: node.text == "not" ? !wanted : wanted) {
                return found
            }
        }
        return parts.isEmpty ? place : nil
    }

    /// The places of a node's parts, and the one behind the last of them.
    private func parts(of place: Int) -> (places: [Int], end: Int) {
        let node = trace[place]
        var (found, next) = ([Int](), place + 1)
        func take(_ isPart: (String) -> Bool) -> Bool {
            guard next < trace.count, isPart(trace[next].pointer) else { return false }
            found.append(next)
            next = parts(of: next).end
            return true
        }
        switch node.text {
        case "and", "or":
            while take({ $0 == "\(node.pointer)/\(node.text)/\(found.count)" }) {}
        case "not": _ = take { $0 == node.pointer + "/not" }
        case let text where text.hasPrefix("spec "): _ = take { $0.hasPrefix("/specs/") }
        default: break
        }
        return (found, next)
    }
}
