/// What a controller hands over: the whole value of its operation, or a change of it.
///
/// A value is a list of entities. They are stored as if a run had fetched them: what was changed here
/// and has not reached the remote yet wins over them, and live queries see them at once.
public struct ControlledValue: Sendable {
    /// `put` is all that there is; else it is what has changed.
    package let isWhole: Bool
    /// Entities as JSON objects with an `id`.
    package let put: [[UInt8]]
    /// Ids of entities that are no more.
    package let remove: [String]
    /// Entities of other types that came inside of these.
    package var nested: [(type: String, json: [UInt8])] = []
    /// Where the stream that it is from stands behind it; kept in the same commit.
    package var position: String?
    /// What is known of a value that is an answer of another server.
    package var cut: FollowedCut?

    /// The whole value. Rows of the query that are not in it are removed, of those that controllers
    /// and remotes have brought; rows that the program or a client has set stay, as do those that
    /// another operation holds.
    ///
    /// - Parameter entities: JSON objects with an `id` each.
    public init(entities: [String]) {
        self.init(isWhole: true, put: entities.map { Array($0.utf8) })
    }

    /// A change.
    ///
    /// - Parameters:
    ///   - put: Entities that are new or have changed, JSON objects with an `id` each.
    ///   - remove: Ids of entities that are gone.
    public init(put: [String], remove: [String] = []) {
        self.init(isWhole: false, put: put.map { Array($0.utf8) }, remove: remove)
    }

    package init(isWhole: Bool, put: [[UInt8]], remove: [String] = []) {
        self.isWhole = isWhole
        self.put = put
        self.remove = remove
    }

    /// About how many bytes it takes.
    package var size: Int {
        put.reduce(0) { $0 + $1.count + 32 } + remove.reduce(0) { $0 + $1.utf8.count + 32 }
    }
}

/// Which answer of a followed server a value is, or leads to.
package struct FollowedCut: Sendable, Equatable {
    /// The epoch of that server's data; seqs of two of them say nothing of each other.
    package var epoch: String
    package var seq: UInt64
    /// The window of the query; nil: as many as there are.
    package var offset: Int
    package var limit: Int?

    package init(epoch: String, seq: UInt64, offset: Int, limit: Int?) {
        self.epoch = epoch
        self.seq = seq
        self.offset = offset
        self.limit = limit
    }
}

/// The operation as its controllers' host sees it. Nothing here blocks, and the host calls it under no
/// lock.
public protocol ControlledOperation: AnyObject, Sendable {
    /// The operation's name.
    var id: String { get }
    /// Whether automatic running is on.
    var takesReruns: Bool { get }
    /// Stores values in order.
    ///
    /// - Parameter completion: Called once, on any thread: how many rows the value has, where that is
    ///   known, and why it or a part of it was not stored.
    func take(
        _ values: [ControlledValue],
        completion: @escaping @Sendable (_ count: Int?, ControllerError?) -> Void)
    /// Tells that the operation has a new value. Called when the host has counted it, so that who is
    /// told sees the counts.
    ///
    /// - Parameter isWhole: It is more than changes of the value before.
    func noteStored(count: Int?, isWhole: Bool)
    /// - Parameter fails: The status becomes that of a failure; else only the error is set.
    func take(error: any Error, fails: Bool)
    /// Whether a controller keeps the value up to date from now on; told when that changes.
    func noteFollowing(_ isFollowing: Bool)
    /// - Returns: Whether a run follows.
    func rerun() -> Bool
    /// The value is out of date until a run that begins from now on brings another.
    func invalidate()
    /// Forgets value, error and counts.
    func reset()
    /// What the operation is shown with has changed: the controller's report.
    func noteShown()
}

/// What is wrong with a controller, or with what it has handed over.
public enum ControllerError: Error, Sendable, Equatable {
    /// It threw, instead of beginning.
    case threw(String)
    /// It did not return in time, and nothing that it yields later is taken.
    case hung
    /// It yielded more than could be stored.
    case flooded
    /// The controller yielded something else than a list of entities.
    case badValue(String)
    /// The yielded value could not be stored.
    case notStored(String)
    /// The yielded value has to be whole and cannot be read; nothing of it is stored.
    case unreadable(String)
    /// A stream that it follows says so.
    case stream(String)
    /// The connection of a stream is refused: over as soon as one stands.
    case connection(String)
    /// A stream has said what could not be read or stored: the value lacks it until a whole one
    /// comes.
    case missed(String)
    /// An error of the controller's own, which it has yielded, as text.
    case reported(String)
    /// The controller has been ended before.
    case ended

    /// All but single entities was stored.
    package var isPartial: Bool { if case .badValue = self { true } else { false } }

    public var sentence: String {
        switch self {
        case .threw(let reason): "the controller threw: \(reason)"
        case .hung: "the controller did not begin in time and was cut off"
        case .flooded: "the controller yielded faster than values can be stored and was ended"
        case .badValue(let reason): "the controller yielded no value: \(reason)"
        case .notStored(let reason): "the controller's value could not be stored: \(reason)"
        case .unreadable(let reason), .stream(let reason), .connection(let reason),
            .missed(let reason):
            reason
        case .reported(let reason): "the controller reports: \(reason)"
        case .ended: "the controller has been ended"
        }
    }
}
