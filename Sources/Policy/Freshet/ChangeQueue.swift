/// What waits for one handler, up to a bound; beyond it things are counted.
///
/// What is missed is told where it is missing: behind what waits. So nothing is taken in before that was
/// told.
struct ChangeQueue<Element> {
    /// What a handler is given next.
    enum Item {
        case element(Element)
        /// So many were left out.
        case missed(Int)
    }

    /// Places of those that have left that are kept while others wait.
    private static var mostFree: Int { 1_024 }

    let capacity: Int
    /// nil: it has left.
    private var waiting: [Element?] = []
    /// Where `waiting` goes on.
    private var head = 0
    private var missed = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// How many wait.
    var count: Int { waiting.count - head }

    var isEmpty: Bool { count == 0 && missed == 0 }

    /// Places that are held, those of elements that have left included: at most twice as many as wait, or
    /// about a thousand.
    var places: Int { waiting.count }

    mutating func append(_ element: Element) {
        if missed > 0 || count >= capacity {
            missed += 1
        } else {
            waiting.append(element)
        }
    }

    /// - Complexity: O(1), amortised.
    mutating func dequeue() -> Item? {
        guard head < waiting.count else {
            guard missed > 0 else { return nil }
            defer { missed = 0 }
            return .missed(missed)
        }
        guard let element = waiting[head] else {
            preconditionFailure("what has left is not given again")
        }
        waiting[head] = nil
        head += 1
        if head == waiting.count {
            waiting.removeAll(keepingCapacity: head <= 256)
            head = 0
        } else if head >= Self.mostFree, head >= waiting.count / 2 {
            waiting.removeFirst(head)
            head = 0
        }
        return .element(element)
    }

    /// Forgets all that waits, what was missed, too.
    mutating func removeAll() {
        waiting = []
        head = 0
        missed = 0
    }
}
