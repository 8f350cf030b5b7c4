import FreshetBase
import FreshetQuery
import FreshetRemote

/// What a read asks of its type's remote, and the name under which it is known that it was asked.
///
/// Made of a query without whoever asks it: no row rule, no contract. Equal shapes are one fetch.
final class FetchShape: Sendable {
    enum Question: Sendable {
        case get(EntityID)
        case search(RemoteSearch, RemotePushdown)
    }

    let type: TypeName
    let question: Question
    /// The digest of the remote that is asked.
    let digest: String
    /// What is equal for equal questions.
    private let name: FlightName
    /// Where its coverage is kept; nil for one entity, which has a record by its own id.
    let recordID: EntityID?
    /// The parts of the asked filter that all must hold, canonical.
    let conjuncts: Set<Filter>
    /// The answer is the rows that the remote named and no others: an endpoint's, a trusted one's,
    /// or a window that does not begin at the front.
    let isListed: Bool
    /// Which rows are in the answer is the remote's own choice: an endpoint's, or a trusted one's.
    let isChosen: Bool
    /// The remote was asked for no order, so that the one it serves is its own.
    let isNatural: Bool
    /// The ids of the query are asked for one by one.
    let isByOne: Bool
    /// What is fetched is known by its ids alone, with nothing to say of others.
    let namesIDs: Bool

    /// One entity.
    init(_ type: TypeName, get id: EntityID, at source: any RemoteSource) {
        self.type = type
        digest = source.digest
        question = .get(id)
        name = .get(type, id, .merge)
        recordID = nil
        conjuncts = []
        isListed = false
        isChosen = false
        isNatural = true
        isByOne = false
        namesIDs = true
    }

    /// What `query` asks.
    ///
    /// - Throws: `.unaddressable` where the remote cannot be asked so.
    init(
        _ query: Query, _ read: ReadParameters, at source: any RemoteSource
    ) throws(UpstreamError) {
        type = query.type
        digest = source.digest
        var plain = Query(type: query.type)
        let asked = query.askedFilter?.canonical()
        plain.filter = asked == .constant(true) ? nil : asked
        plain.ids = query.ids
        // Not in canonical form, for which the order by id is the natural one: a remote's is not.
        plain.order = query.order
        let needsAll = query.needsAllRows(hidesNothing: false)
        plain.offset = needsAll ? 0 : query.offset
        plain.limit = needsAll || query.ids != nil ? nil : query.limit
        let search = RemoteSearch(
            query: plain, endpoint: read.endpoint, parameters: read.parameters,
            isTrusted: read.trustsRemote)
        // A remote that is asked for entities one by one only.
        let cannotSearch = query.ids != nil && read.endpoint == nil && !source.canSearch(nil)
        let pushdown = cannotSearch ? RemotePushdown() : try source.pushdown(of: search)
        question = .search(search, pushdown)
        isByOne =
            read.endpoint == nil && !pushdown.sendsIDs && source.canGet
            && query.ids.map { cannotSearch || $0.count <= RemoteBatch.mostGets } ?? false
        conjuncts = Set(Filter.conjuncts(ofCanonical: plain.filter))
        isChosen = read.endpoint != nil || read.trustsRemote
        isListed = isChosen || (pushdown.window?.offset ?? 0) > 0
        isNatural = plain.order == .natural || !pushdown.isOrdered || isByOne
        namesIDs = isByOne || pushdown.sendsIDs
        let key = Self.key(search, pushdown, namesIDs: namesIDs, isNatural)
        name = .search(key, .merge)
        recordID = Self.recordID(key + "\nof \(digest)")
    }

    private static func key(
        _ search: RemoteSearch, _ pushdown: RemotePushdown, namesIDs: Bool, _ isNatural: Bool
    ) -> String {
        let query = search.query
        var key = query.type.text
        if let endpoint = search.endpoint {
            key += "\nendpoint \(endpoint)"
            for (name, value) in search.parameters.sorted(by: { $0.key < $1.key }) {
                key += "\n\(name.utf8.count) \(name)=\(value.utf8.count) \(value)"
            }
        }
        // A trusted answer follows from all that was asked, whatever of it was sent.
        let sent = search.isTrusted ? query.filter : pushdown.filter
        if let sent { key += "\nfilter \(sent.description)" }
        if search.isTrusted { key += "\ntrusted" }
        if search.isTrusted || pushdown.window != nil || !isNatural {
            switch query.order {
            case .natural: break
            case .keys(let keys): key += "\norder \(keys.map(\.description))"
            case .ids(let ids): key += "\nfirst \(ids.map(\.text))"
            }
        }
        if let window = pushdown.window { key += "\nwindow \(window.offset) \(window.limit)" }
        if let ids = query.ids, namesIDs { key += "\nids \(ids.map(\.text))" }
        return key
    }

    /// Keys have no bound, ids have.
    private static func recordID(_ key: String) -> EntityID { EntityID(SHA256Digest(of: key)) }

    /// The name of the flight that fetches it and keeps it so.
    func flight(_ persist: ReadParameters.Persist) -> FlightName { name.kept(persist) }

    /// The window that the remote is asked for; nil: for everything.
    var window: RemotePushdown.Window? {
        if case .search(_, let pushdown) = question { pushdown.window } else { nil }
    }
}

/// What a flight fetches and how its answer is kept: equal for equal questions. A get's has no text of
/// its own, since each read of one entity looks for it.
enum FlightName: Hashable, Sendable, CustomStringConvertible {
    case get(TypeName, EntityID, ReadParameters.Persist)
    case search(String, ReadParameters.Persist)
    case mutation(TypeName, OperationDefinition.Write?)
    /// What no remote is asked for, by the canonical text of its query.
    case driven(String)

    func kept(_ persist: ReadParameters.Persist) -> FlightName {
        switch self {
        case .get(let type, let id, _): .get(type, id, persist)
        case .search(let text, _): .search(text, persist)
        case .mutation, .driven: self
        }
    }

    var description: String {
        switch self {
        case .get(let type, let id, let persist):
            "\(type.text)\nget \(id.text)" + Self.note(of: persist)
        case .search(let text, let persist): text + Self.note(of: persist)
        case .driven(let text): text
        case .mutation(let type, let write): "mutation \(type.text) \(write?.rawValue ?? "")"
        }
    }

    private static func note(of persist: ReadParameters.Persist) -> String {
        persist == .merge ? "" : "\n\(persist.rawValue)"
    }
}
