import FreshetBase
import FreshetJSON

// Parts that JSON answers for operators have in common.

extension ByteBuffer {
    /// `{"items":[…]}`.
    mutating func append<Items: Sequence>(
        items: Items, _ write: (Items.Element, inout ByteBuffer) -> Void
    ) {
        append("{\"items\":[")
        var isFirst = true
        for item in items {
            if !isFirst { append(",") }
            isFirst = false
            write(item, &self)
        }
        append("]}")
    }

    /// A member behind others: an object of numbers.
    mutating func append(figures name: StaticString, _ figures: [(StaticString, Int)]) {
        append(",\"")
        append(name)
        append("\":{")
        for (index, (name, figure)) in figures.enumerated() {
            append(index > 0 ? ",\"" : "\"")
            append(name)
            append("\":")
            append(decimal: figure)
        }
        append("}")
    }

    /// An instant as text, or null.
    mutating func append(instant: WallTime?) {
        if let instant { append(jsonString: instant.rfc3339) } else { append("null") }
    }

    /// The instant that is `span` behind `now`, or null.
    mutating func append(instant span: Duration?, after now: WallTime) {
        append(
            instant: span.map {
                WallTime(milliseconds: now.milliseconds + Int64($0 / .milliseconds(1)))
            })
    }
}
