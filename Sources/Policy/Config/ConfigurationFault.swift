import FreshetJSON

/// Something in the configuration that the program cannot use: where it stands and what was
/// expected there.
package struct ConfigurationFault: Sendable, Equatable, CustomStringConvertible {
    package enum Place: Sendable, Equatable, CustomStringConvertible {
        /// A value in the file; an empty pointer is the whole file.
        case file(String, pointer: String)
        /// Text of the file that is no JSON; line and column count from 1, bytes.
        case text(String, line: Int, column: Int)
        /// A flag, with its dashes.
        case flag(String)
        case environment(String)

        /// `freshet.json: /limits/body`.
        package var description: String {
            switch self {
            case .file(let file, ""): file
            case .file(let file, let pointer): "\(file): \(pointer)"
            case .text(let file, let line, let column): "\(file):\(line):\(column)"
            case .flag(let flag): flag
            case .environment(let name): name
            }
        }
    }

    package let place: Place
    /// What was expected, or what is wrong, without a full stop.
    package let expected: String

    package init(place: Place, expected: String) {
        self.place = place
        self.expected = expected
    }

    /// Whether it is about the value of this setting.
    package func concerns(_ key: Setting.Key) -> Bool {
        let setting = Setting.setting(key)
        return switch place {
        case .file(_, let pointer): pointer == JSONPointer(tokens: setting.path).description
        case .text: false
        case .flag(let flag): flag == "--\(setting.flag)"
        case .environment(let name): name == setting.environment
        }
    }

    /// One line: `freshet.json: /limits/body: expected a size such as "16MiB"`.
    package var description: String { "\(place): \(expected)" }
}

/// Every fault that was found, at least one.
package struct ConfigurationError: Error, Sendable {
    package let faults: [ConfigurationFault]

    package init(faults: [ConfigurationFault]) {
        self.faults = faults
    }
}
