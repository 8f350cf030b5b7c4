import FreshetQuery

/// Which followed queries have which rows of one type: a row goes when the last of them lets go of it.
///
/// Two streams of one origin are read independently, so that the slower one may bring an older state of
/// a row than is stored. Each cut has a seq of the origin; a row that another stream has brought with a
/// later one stays as it is.
// SAFETY: touched before any of them is driven, and then by what is stored of the type, one after the
// other.
final class FollowedRows: @unchecked Sendable {
    private struct Row {
        var holders = 0
        /// The seq of the newest cut that had it, with the number of its origin.
        var seq: UInt64 = 0
        var origin = 0
    }

    private var rows: [EntityID: Row] = [:]
    private var members: [String: Set<EntityID>] = [:]
    private var origins: [String: Int] = [:]

    /// The rows that `operation` has.
    func members(of operation: String) -> Set<EntityID> {
        members[operation] ?? []
    }

    /// Whether another operation than `operation` has the row.
    func isHeld(_ id: EntityID, besides operation: String) -> Bool {
        (rows[id]?.holders ?? 0) > (members[operation]?.contains(id) == true ? 1 : 0)
    }

    /// Whether what a cut of `epoch` and `seq` says of the row is older than what is stored.
    func isOutdated(_ id: EntityID, epoch: String, seq: UInt64) -> Bool {
        guard let row = rows[id], let origin = origins[epoch] else { return false }
        return row.origin == origin && seq < row.seq
    }

    /// `operation` has the row from now on, as a cut has brought it.
    func add(_ id: EntityID, to operation: String, epoch: String, seq: UInt64) {
        let origin = number(of: epoch)
        var row = rows[id] ?? Row()
        if members[operation, default: []].insert(id).inserted { row.holders += 1 }
        if row.origin != origin || seq > row.seq {
            row.origin = origin
            row.seq = seq
        }
        rows[id] = row
    }

    /// `operation` does not have the row any more.
    func remove(_ id: EntityID, from operation: String) {
        guard members[operation]?.remove(id) != nil, var row = rows[id] else { return }
        row.holders -= 1
        rows[id] = row.holders > 0 ? row : nil
    }

    private func number(of epoch: String) -> Int {
        if let known = origins[epoch] { return known }
        let number = origins.count + 1
        origins[epoch] = number
        return number
    }
}
