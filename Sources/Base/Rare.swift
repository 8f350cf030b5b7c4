/// A property that few objects of very many have: one word where there is nothing, and a word and an
/// allocation where there is. A value as any other; what changes it in place makes a new allocation.
@propertyWrapper
package struct Rare<Value: Sendable>: Sendable {
    @usableFromInline final class Box: Sendable {
        @usableFromInline let value: Value
        @inlinable init(_ value: Value) { self.value = value }
    }

    @usableFromInline var box: Box?

    // Inlined, so that where there is nothing no generic type is looked up at run time.
    @inlinable package init(wrappedValue: Value?) {
        box = if let wrappedValue { Box(wrappedValue) } else { nil }
    }

    @inlinable package var wrappedValue: Value? {
        get { box?.value }
        _modify {
            var value = box?.value
            // What the value holds is changed in place where nobody else holds it.
            box = nil
            yield &value
            box = value.map { Box($0) }
        }
        set { box = newValue.map { Box($0) } }
    }
}
