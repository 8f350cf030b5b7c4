import FreshetCore
import FreshetJSON
import FreshetRemote

/// Secrets never stand in the configuration itself: `{"env":"NAME"}` takes a variable of the
/// environment, `{"file":"/run/secrets/name"}` a file without the line feed at its end.
///
/// No fault repeats what was found, but for what looks like the name of a variable.
extension Secret {
    private static let maximumBytes = 64 << 10

    /// - Parameter what: What the variable or the file holds, in its text.
    static func form(of what: String) -> Form<Secret> {
        func name(_ text: String) -> JSONValue {
            Form.text(minLength: 1).schema.described(text + what)
        }
        return Form(
            [
                "type": "object",
                "properties": [
                    "env": name("the variable that holds "), "file": name("the file that holds "),
                ],
                "minProperties": 1, "maxProperties": 1, "additionalProperties": false,
            ], read: read)
    }

    private static func read(
        _ value: JSONValue, at pointer: JSONPointer, _ reading: inout Reading
    ) -> Secret? {
        guard let members = value.objectValue, members.count == 1, let member = members.first,
            ["env", "file"].contains(member.name), let name = member.value.stringValue,
            !name.isEmpty
        else {
            reading.expected(
                "{\"env\":\"NAME\"} or {\"file\":\"/run/secrets/name\"}: a secret does not stand in"
                    + " the configuration", at: pointer)
            return nil
        }
        let place = pointer.appending(member.name)
        let text: String?
        if member.name == "env" {
            text = reading.environment[name]
            guard text != nil else {
                reading.expected(
                    "a variable that is set" + (looksLikeVariable(name) ? "; \(name) is not" : ""),
                    at: place)
                return nil
            }
        } else {
            switch ConfigurationFile.bytes(ofFile: name) {
            case .failure(let fault):
                reading.expected("a file that can be read; it \(fault.reason)", at: place)
                return nil
            case .success(let bytes):
                text = bytes.count <= maximumBytes ? String(validating: bytes, as: UTF8.self) : nil
            }
        }
        var secret = Substring(text ?? "")
        while let last = secret.unicodeScalars.last, last == "\n" || last == "\r" {
            secret.unicodeScalars.removeLast()
        }
        // Controls could end a header and begin another.
        guard !secret.isEmpty, secret.utf8.count <= maximumBytes,
            secret.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        else {
            reading.expected(
                "a secret of one line of text, 1 to 65,536 bytes without control characters",
                at: place)
            return nil
        }
        reading.secrets.append(Secret(String(secret)))
        return Secret(String(secret))
    }

    /// Whether `name` is written as variables are by custom. A secret that stands in the place of its
    /// variable's name is hardly ever.
    private static func looksLikeVariable(_ name: String) -> Bool {
        name.utf8.count <= 64
            && name.unicodeScalars.allSatisfy {
                ("A"..."Z").contains($0) || ("0"..."9").contains($0) || $0 == "_"
            }
    }

    /// The variables that `value` and all in it name as secrets, set or not.
    static func variables(in value: JSONValue) -> Set<String> {
        if let elements = value.arrayValue {
            return elements.reduce(into: []) { $0.formUnion(variables(in: $1)) }
        }
        guard let members = value.objectValue else { return [] }
        if members.count == 1, members[0].name == "env", let name = members[0].value.stringValue {
            return [name]
        }
        return members.reduce(into: []) { $0.formUnion(variables(in: $1.value)) }
    }
}
