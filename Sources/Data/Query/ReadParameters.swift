/// Where an answer may come from, as the parameters of a request say it (operations.md section 1).
/// No part of the question: it changes nothing about which rows are the answer.
package struct ReadParameters: Sendable, Equatable {
    package enum Source: String, CaseIterable, Sendable {
        case local, remote, remoteOrLocal, localOrRemote, localThenRemote
    }

    /// What a remote's answer does to the local stores.
    package enum Persist: String, CaseIterable, Sendable {
        /// Upsert.
        case merge
        /// Upsert, and remove what the complete answer lacks.
        case replace
        case none
    }

    /// nil: as the type says.
    package var source: Source?
    package var persist = Persist.merge
    /// The remote's answer is taken as it is, neither filtered nor windowed again.
    package var trustsRemote = false
    /// A named endpoint in place of the one derived from the type.
    package var endpoint: String?
    /// The values of `endpoint.NAME=`.
    package var parameters: [String: String] = [:]

    package init() {}
}

/// The contract that a query's rows must keep.
package struct QueryContract: Sendable, Equatable {
    package let name: String
    /// What it demands.
    package let filter: Filter
    /// The query's own filter, without the contract and without any row rule.
    package let asked: Filter?

    package init(_ name: String, filter: Filter, asked: Filter?) {
        self.name = name
        self.filter = filter
        self.asked = asked
    }
}

extension Query {
    /// What was asked for, whoever asks: the filter without row rule and contract. An answer of a
    /// remote to it is everybody's.
    package var askedFilter: Filter? {
        if let contract { return contract.asked }
        guard rule != nil else { return filter }
        var plain = self
        plain.restrict(to: nil)
        return plain.filter
    }
}

// The parameters of a read context. A value of another kind than the contract's is a fault; whether
// the type has such a remote or endpoint is for whoever reads to say.

import FreshetJSON

extension QueryParser {
    static let endpointPrefix = "endpoint."
    /// Parameters of one endpoint.
    static let maximumEndpointParameters = 32

    static func source(_ text: String) throws(QueryFault) -> ReadParameters.Source {
        guard let source = ReadParameters.Source(rawValue: text) else {
            throw unknown("source", ReadParameters.Source.allCases.map(\.rawValue))
        }
        return source
    }

    static func persist(_ text: String) throws(QueryFault) -> ReadParameters.Persist {
        guard let persist = ReadParameters.Persist(rawValue: text) else {
            throw unknown("persist", ReadParameters.Persist.allCases.map(\.rawValue))
        }
        return persist
    }

    static func endpointName(_ text: String) throws(QueryFault) -> String {
        guard !text.isEmpty else {
            throw QueryFault(.badParameter, "endpoint", "endpoint is a name of the configuration")
        }
        return text
    }

    /// The text of a JSON value that a URL would have as text.
    static func text(_ value: JSONView, _ name: String) throws(QueryFault) -> String {
        switch value.kind {
        case .string: return value.string ?? ""
        case .number, .bool: return String(decoding: value.bytes, as: UTF8.self)
        default:
            throw QueryFault(
                .badParameter, name, "\(name) is a text, a number or a Boolean")
        }
    }

    /// Refuses what would remove entities that the answer only does not show.
    static func checkContext(_ read: ReadParameters, _ seen: Set<String>) throws(QueryFault) {
        if !read.parameters.isEmpty, read.endpoint == nil {
            throw QueryFault(
                .badParameter, "endpoint", "there are parameters of an endpoint and no endpoint")
        }
        guard read.persist == .replace else { return }
        if let name = ["offset", "limit", "after"].first(where: seen.contains) {
            throw QueryFault(
                .badParameter, "persist",
                "persist=replace removes what the answer lacks, and \(name) cuts the answer",
                hint: "leave \(name) out: all that the remote has is fetched then")
        }
        if read.endpoint != nil {
            throw QueryFault(
                .badParameter, "persist",
                "persist=replace needs all of the type, and an endpoint answers some of it")
        }
    }

    private static func unknown(_ name: String, _ values: [String]) -> QueryFault {
        QueryFault(
            .badParameter, name,
            "\(name) is \(values.dropLast().joined(separator: ", ")) or \(values.last ?? "")")
    }
}
