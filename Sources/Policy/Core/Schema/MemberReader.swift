import FreshetBase
import FreshetJSON

/// Reads one object of the configuration member by member and notes every fault on the way.
///
/// A reader asks for the members that it knows; `finish` then reports all others, with the known
/// name that was most likely meant. So the names stand once, where they are used.
struct MemberReader {
    let pointer: JSONPointer
    private let members: [JSONValue.Member]
    private var known: [String] = []

    /// - Returns: nil, and a fault, where `value` is no object.
    init?(_ value: JSONValue, at pointer: JSONPointer, faults: inout [SchemaFault]) {
        guard let members = value.objectValue else {
            faults.expected("an object", at: pointer)
            return nil
        }
        self.pointer = pointer
        self.members = members
    }

    /// The value of the member `name`, which is known from now on.
    mutating func value(_ name: String) -> JSONValue? {
        if !known.contains(name) { known.append(name) }
        return members.first { $0.name == name }?.value
    }

    mutating func bool(_ name: String, faults: inout [SchemaFault]) -> Bool? {
        guard let value = value(name) else { return nil }
        guard let bool = value.boolValue else {
            faults.expected("true or false", at: pointer.appending(name))
            return nil
        }
        return bool
    }

    mutating func string(_ name: String, faults: inout [SchemaFault]) -> String? {
        guard let value = value(name) else { return nil }
        guard let string = value.stringValue else {
            faults.expected("a string", at: pointer.appending(name))
            return nil
        }
        return string
    }

    /// A number of things: an integer of 0 or more.
    mutating func count(_ name: String, faults: inout [SchemaFault]) -> Int? {
        guard let value = value(name) else { return nil }
        guard let count = value.int64Value, count >= 0 else {
            faults.expected("an integer of 0 or more", at: pointer.appending(name))
            return nil
        }
        return Int(count)
    }

    mutating func strings(_ name: String, faults: inout [SchemaFault]) -> [String]? {
        guard let value = value(name) else { return nil }
        guard let elements = value.arrayValue else {
            faults.expected("a list of strings", at: pointer.appending(name))
            return nil
        }
        var strings: [String] = []
        for (index, element) in elements.enumerated() {
            if let string = element.stringValue {
                strings.append(string)
            } else {
                faults.expected("a string", at: pointer.appending(name).appending(index))
            }
        }
        return strings
    }

    /// One of the words of `Words`.
    mutating func word<Words: RawRepresentable<String> & CaseIterable>(
        _ name: String, of type: Words.Type, faults: inout [SchemaFault]
    ) -> Words? {
        guard let value = value(name) else { return nil }
        if let text = value.stringValue, let word = Words(rawValue: text) { return word }
        let words = Words.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        faults.expected("one of \(words)", at: pointer.appending(name))
        return nil
    }

    /// The members of the object `name`, each with its pointer; empty where it is absent.
    mutating func entries(
        _ name: String, faults: inout [SchemaFault]
    ) -> [(name: String, value: JSONValue, pointer: JSONPointer)] {
        guard let value = value(name) else { return [] }
        let place = pointer.appending(name)
        guard let members = value.objectValue else {
            faults.expected("an object", at: place)
            return []
        }
        return members.map { ($0.name, $0.value, place.appending($0.name)) }
    }

    /// Takes all other members for known: they are not looked at.
    mutating func skipRest() {
        known += members.map(\.name)
    }

    /// Reports the members that nobody asked for.
    func finish(faults: inout [SchemaFault]) {
        for member in members where !known.contains(member.name) {
            let detail: String
            if let near = NearestWord.of(member.name, among: known) {
                detail = "unknown member; did you mean \"\(near)\"?"
            } else {
                detail = "unknown member; expected \(known.joined(separator: ", "))"
            }
            faults.append(
                SchemaFault(
                    pointer: pointer.appending(member.name).description, code: "unknown-member",
                    detail: detail))
        }
    }
}

extension [SchemaFault] {
    /// Notes that the value at `pointer` is not `what`.
    mutating func expected(_ what: String, at pointer: JSONPointer) {
        append(
            SchemaFault(pointer: pointer.description, code: "value", detail: "expected \(what)"))
    }
}
