import FreshetBase
import FreshetJSON

// Parts that JSON answers for operators have in common.

extension ByteBuffer {
    /// `{"items":[…]}`.
    mutating func append<Items: Sequence>(
        items: Items, _ write: (Items.Element, inout ByteBuffer) -> Void
    ) {
        append("{")
        member("items", each: items, write)
        append("}")
    }
}

extension WallTime {
    /// The instant that is `span` behind this one.
    func after(_ span: Duration?) -> WallTime? {
        span.map { self + $0 }
    }
}
