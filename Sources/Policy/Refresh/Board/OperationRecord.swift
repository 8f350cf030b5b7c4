// What the board keeps. Everything is in arrays and refers to other things by place; a free place
// is used again, with another stamp.

/// What leaves that belong to no operation look at.
enum BoardFact: Hashable {
    case link(String)
    case health(String)
    case token(String)
    case service
    case condition(String)
    case pressure
}

/// A fact with the leaves that look at it.
struct FactRecord {
    var input: Int64
    var leaves: [Int32] = []
}

/// A condition on one fact, shared by all expressions that have it.
struct LeafRecord {
    struct Key: Hashable {
        var atom: SpecAtom
        /// Whose; -1 for nobody's.
        var operation: Int32
    }

    var key: Key
    var input: Int64
    var references = 1
    var stamp: UInt32
    var isInUse = true
    /// Slots that are evaluated when it turns.
    var dependents: [Int32] = []
    /// The earliest entry of a heap for it.
    var scheduled = Int64.max
    /// When it turned last, since 1970.
    var turned: Int64?
    /// The subscription of a custom specification.
    var subscription: RunSubscription?
    /// A custom specification is about to be asked.
    var isAsking = false
}

/// One compiled expression.
struct SlotRecord {
    var program: SpecProgram
    var value = false
    /// An operation's place, or the complement of an observer's.
    var owner: Int32
    /// The commit that evaluated it last.
    var mark: UInt64 = 0
}

/// What wants to know about one expression.
struct ObserverRecord {
    var slot: Int32
    var stamp: UInt32
    var onChange: (@Sendable (Bool) -> Void)?
}

struct ConditionRecord {
    var declaration: ConditionDeclaration
    var value: Bool
    var revision = 0
    /// On the board's clock.
    var expires = Int64.max
    /// The earliest entry of a heap for it.
    var scheduled = Int64.max
    /// When it expires, since 1970.
    var expiresAt: Duration?

    var state: ConditionState {
        ConditionState(
            name: declaration.name, value: value, revision: revision, expiresAt: expiresAt,
            persists: declaration.persists)
    }
}

/// An operation, whether it was attached or is only looked at by others.
struct OperationRecord {
    struct Slots {
        var gate: Int32
        var stale: Int32
        var when: Int32
        var admit: Int32
    }

    /// What an attached operation has more.
    final class Attachment {
        let settings: OperationSettings
        weak var delegate: (any TriggeredOperation)?

        init(_ settings: OperationSettings, _ delegate: (any TriggeredOperation)?) {
            self.settings = settings
            self.delegate = delegate
        }
    }

    var id: String
    var stamp: UInt32
    var isInUse = true

    var isActive = true
    var isInvalidated = false
    /// Controllers that keep its value up to date.
    var followers = 0
    var subscribers: Int64 = 0
    var value = SpecAtom.absent
    var failures: Int64 = 0
    var status = OperationStatus.idle.number
    /// Leaves that look at one of these.
    var leaves: [Int32] = []
    /// Leaves that ask specifications of the embedding program in its name.
    var askingLeaves = 0

    var attachment: Attachment?
    var slots: Slots?
    var machine = TriggerMachine()
    var news = TriggerMachine.News()
    /// What the delegate knows.
    var shown: OperationLevels?
    var mark: UInt64 = 0
    var scheduled = Int64.max
    var scheduledCron = Int64.max

    init(_ id: String, stamp: UInt32) {
        self.id = id
        self.stamp = stamp
    }
}

/// What the board calls once it is unlocked.
enum BoardEffect {
    case start(any TriggeredOperation, RunOrigin, restarting: Bool)
    case cancelTriggered(any TriggeredOperation)
    case levels(any TriggeredOperation, OperationLevels)
    case evict(any TriggeredOperation)
    case observed(@Sendable (Bool) -> Void, Bool)
    case conditions([ConditionState])
    case subscribe(leaf: Int32, stamp: UInt32, CustomSpecification, operation: String?)
    case ask(leaf: Int32, stamp: UInt32, CustomSpecification, operation: String?)
    /// A custom specification is not watched any more.
    case end(RunSubscription, CustomSpecification)
    /// A link or the pressure has got its first reader, or lost its last.
    case readers
    /// A specification of the operation, or of none, is at fault.
    case fault(String?, String)
}
