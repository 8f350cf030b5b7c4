package import FreshetJSON

/// Why a query is none: what a problem answer needs.
package struct QueryFault: Error, Sendable {
    package enum Code: Hashable, Sendable {
        case badParameter
        case badFilter
        case tooComplex
        /// A parameter of the contract that this version does not carry out.
        case notImplemented
        /// The body is no JSON.
        case badJSON(JSONFault)

        /// The code of the contract.
        package var name: String {
            switch self {
            case .badParameter: "bad-parameter"
            case .badFilter: "bad-filter"
            case .tooComplex: "query-too-complex"
            case .notImplemented: "not-implemented"
            case .badJSON: "bad-json"
            }
        }

        package static func == (left: Code, right: Code) -> Bool {
            left.name == right.name
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(name)
        }
    }

    package var code: Code
    /// The parameter or member of the body; empty where the body as a whole is wrong.
    package var parameter: String
    /// A sentence without the entity's data.
    package var detail: String
    /// Where in the filter's text, in UTF-8 bytes.
    package var offset: Int?
    /// Where in the filter's JSON form, as a JSON pointer inside the filter.
    package var pointer: String?
    /// What to do about it.
    package var hint: String?

    package init(
        _ code: Code, _ parameter: String, _ detail: String, offset: Int? = nil,
        pointer: String? = nil, hint: String? = nil
    ) {
        self.code = code
        self.parameter = parameter
        self.detail = detail
        self.offset = offset
        self.pointer = pointer
        self.hint = hint
    }

    /// What is wrong with a filter.
    package init(_ fault: FilterFault, in parameter: String) {
        switch fault {
        case .syntax(let offset, let expected):
            self.init(
                .badFilter, parameter, "at byte \(offset): expected \(expected)", offset: offset)
        case .tree(let pointer, let expected):
            self.init(
                .badFilter, parameter, "at \"\(pointer)\": expected \(expected)",
                pointer: pointer)
        case .tooComplex(let sentence):
            self.init(.tooComplex, parameter, sentence)
        }
    }

    /// What is wrong with a parameter that is written as parts of filters are.
    init(of fault: FilterFault, asParameter parameter: String) {
        switch fault {
        case .syntax(let offset, let expected):
            self.init(
                .badParameter, parameter, "\(parameter), at byte \(offset): expected \(expected)",
                offset: offset)
        case .tree(_, let expected):
            self.init(.badParameter, parameter, "\(parameter): expected \(expected)")
        case .tooComplex(let sentence):
            self.init(.badParameter, parameter, sentence)
        }
    }
}
