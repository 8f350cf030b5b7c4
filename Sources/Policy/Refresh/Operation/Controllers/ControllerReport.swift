/// What is to be seen of a controller.
public struct ControllerReport: Sendable, Equatable {
    public enum State: String, Sendable, CaseIterable {
        /// The operation is not to be driven now.
        case idle
        /// `control(with:)` has not returned yet.
        case starting
        case running
        /// It threw, or yielded too much; it is called again after a pause.
        case pausing
        /// It does not return. What it yields is not taken.
        case hung
        /// The controller has ended itself.
        case halted
    }

    public struct Counts: Sendable, Equatable {
        /// Calls of `control(with:)`.
        public internal(set) var starts = 0
        /// Values that were stored.
        public internal(set) var values = 0
        /// Values that a later one made superfluous before they were stored.
        public internal(set) var replaced = 0
        /// Values that could not be stored or were no values.
        public internal(set) var refused = 0
        public internal(set) var errors = 0
        public internal(set) var reruns = 0
        /// Reruns while automatic running was off.
        public internal(set) var refusedReruns = 0
        public internal(set) var thrown = 0
        public internal(set) var hangs = 0
        public internal(set) var floods = 0
        /// Whatever was yielded behind the end.
        public internal(set) var late = 0
    }

    /// The controller's kind, such as `sse`.
    public let kind: String
    public internal(set) var state = State.idle
    /// The controller's own description of its state.
    public internal(set) var activity: String?
    /// When it tries again what has failed, since 1970; nil where nothing is due.
    public internal(set) var nextTry: Duration?
    /// What was wrong last.
    public internal(set) var lastError: String?
    public internal(set) var counts = Counts()

    /// Whether it tells the same as `other`, the counts aside, which come with what they count.
    func isShown(as other: ControllerReport) -> Bool {
        state == other.state && activity == other.activity && nextTry == other.nextTry
            && lastError == other.lastError
    }
}

/// What a controller may cost.
public struct ControllerBounds: Sendable, Equatable {
    /// How long `control(with:)` may take.
    public var start = Duration.seconds(5)
    /// Values that wait to be stored.
    public var values = 1_000
    /// Their bytes.
    public var bytes = 16 << 20
    /// From the beginning of one storing to that of the next.
    public var pace = Duration.milliseconds(10)
    /// From one rerun to the next; reruns asked for in between become one.
    public var rerunPace = Duration.milliseconds(200)
    /// How long a controller that has failed rests before it is called again; doubled with each
    /// failure, until a value was stored.
    public var pause = Duration.seconds(1)
    /// The bound of the doubled pause.
    public var longestPause = Duration.seconds(60)

    public init() {}
}
