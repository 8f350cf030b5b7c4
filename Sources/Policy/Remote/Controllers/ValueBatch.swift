import FreshetRefresh

/// Values of events that have arrived together, to be stored as one commit.
struct ValueBatch {
    private var values: [ControlledValue] = []
    private var bytes = 0

    /// Below what a controller's host holds, so that a batch is never a flood.
    private static let mostValues = 500
    private static let mostBytes = 4 << 20

    var isEmpty: Bool { values.isEmpty }

    /// Whether it is to be stored before more is added.
    var isFull: Bool { values.count >= Self.mostValues || bytes >= Self.mostBytes }

    mutating func append(_ value: ControlledValue) {
        values.append(value)
        bytes += value.size
    }

    mutating func takeAll() -> [ControlledValue] {
        defer { self = ValueBatch() }
        return values
    }
}
