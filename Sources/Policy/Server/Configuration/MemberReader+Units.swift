import FreshetCore
import FreshetJSON

// Members with units, bounds and other forms of text.
extension MemberReader {
    /// A time such as `"10s"` within `bounds`, in milliseconds.
    mutating func time(
        _ name: String, in bounds: ClosedRange<Int>, faults: inout [SchemaFault]
    ) -> Duration? {
        guard let value = value(name) else { return nil }
        guard let milliseconds = value.stringValue.flatMap(SettingText.milliseconds),
            bounds.contains(milliseconds)
        else {
            faults.expected(
                "a time such as \"10s\", from \(SettingText.text(milliseconds: bounds.lowerBound))"
                    + " to \(SettingText.text(milliseconds: bounds.upperBound))",
                at: pointer.appending(name))
            return nil
        }
        return .milliseconds(milliseconds)
    }

    /// A size such as `"16MiB"`, or a number of bytes, within `bounds`.
    mutating func size(
        _ name: String, in bounds: ClosedRange<Int>, faults: inout [SchemaFault]
    ) -> Int? {
        guard let value = value(name) else { return nil }
        let bytes = value.stringValue.flatMap(SettingText.bytes) ?? value.int64Value.map { Int($0) }
        guard let bytes, bounds.contains(bytes) else {
            faults.expected(
                "a size such as \"16MiB\", from \(SettingText.text(bytes: bounds.lowerBound))"
                    + " to \(SettingText.text(bytes: bounds.upperBound))",
                at: pointer.appending(name))
            return nil
        }
        return bytes
    }

    /// An integer within `bounds`.
    mutating func integer(
        _ name: String, in bounds: ClosedRange<Int>, faults: inout [SchemaFault]
    ) -> Int? {
        guard let value = value(name) else { return nil }
        guard let number = value.int64Value, bounds.contains(Int(number)) else {
            faults.expected(
                "an integer from \(bounds.lowerBound) to \(bounds.upperBound)",
                at: pointer.appending(name))
            return nil
        }
        return Int(number)
    }

    /// A JSON pointer.
    mutating func jsonPointer(_ name: String, faults: inout [SchemaFault]) -> JSONPointer? {
        guard let value = value(name) else { return nil }
        guard let pointer = value.stringValue.flatMap({ JSONPointer($0) }) else {
            faults.expected(
                "a JSON pointer such as \"/data/items\"", at: self.pointer.appending(name))
            return nil
        }
        return pointer
    }

    /// Reports `name`, where it is absent.
    mutating func require(
        _ name: String, _ what: String, faults: inout [SchemaFault]
    ) {
        if value(name) == nil { faults.expected(what, at: pointer.appending(name)) }
    }
}
