// From a type's mapping to requests and back.
//
// A read is: plan (what of the query can be asked, with which values) → path → one flight for all
// who ask the same at once → `Upstream.perform` → the answer's frame, strictly → its elements, one by
// one and leniently → entities. Nothing of an answer whose frame is wrong is ever used; an element
// that is no entity is left out, counted and logged.
//
// The upstream's names end here: above this file there are entities in our form only.

package import FreshetBase
import FreshetJSON
import FreshetRefresh
package import FreshetQuery

/// The entities of one type, from a REST upstream.
package final class RESTSource: RemoteSource {
    let mapping: RemoteMapping
    package let upstream: Upstream
    package let digest: String
    let log: Log
    private let maximumEntity: Int
    let flights = RequestFlights<FlightKey, RemoteAnswer, UpstreamError>(
        cancelled: .cancelled, executor: PolicyWorkers.fetches)

    /// Calls with the same key get the same answer.
    struct FlightKey: Hashable {
        let call: CallName
        let path: String
        let etag: String?
        let lastModified: String?
    }

    /// Whose path it is. Equal paths of two have answers that are read differently.
    enum CallName: Hashable {
        case get
        /// By the name of an endpoint; nil for the type's own. The path is the first page's alone: how
        /// many follow is the window's.
        case search(endpoint: String?, RemotePushdown)
    }

    /// - Parameter maximumEntity: The most bytes of an entity; larger ones are dropped.
    package init(
        _ mapping: RemoteMapping, upstream: Upstream, maximumEntity: Int = 1 << 20, log: Log
    ) {
        self.mapping = mapping
        self.upstream = upstream
        digest = mapping.digest(at: upstream.settings)
        self.maximumEntity = maximumEntity
        self.log = log
    }

    package var upstreamName: String { upstream.settings.name }
    package var fallback: FallbackErrors { mapping.fallback ?? upstream.settings.fallback }
    package var canGet: Bool { mapping.get != nil }
    package var rejected: RemoteMapping.Rejection { mapping.rejected }

    package func canSearch(_ endpoint: String?) -> Bool {
        endpoint.map { mapping.endpoints[$0] != nil } ?? (mapping.search != nil)
    }

    // MARK: Reading

    package func get(
        _ id: EntityID, conditions: RemoteValidators?, call: RemoteCall
    ) async throws(UpstreamError) -> RemoteAnswer {
        guard let get = mapping.get else { throw Self.noCall("get") }
        let path = try expand(get.request, "get") { $0 == "id" ? id.text : nil }
        return try await fly(.get, path: path, conditions: conditions, call: call) {
            [self] () async throws(UpstreamError) -> RemoteAnswer in
            try await fetch(id, get: get, path: path, conditions: conditions, call: call)
        }
    }

    package func search(
        _ request: RemoteSearch, conditions: RemoteValidators?, call: RemoteCall
    ) async throws(UpstreamError) -> RemoteAnswer {
        let plan = try plan(for: request)
        if plan.pushdown.sendsIDs, let ids = request.query.ids {
            let parts = plan.parts(of: ids)
            if parts.count > 1 { return try await search(request, in: parts, of: plan, call) }
        }
        let path = try expand(plan.search.request, plan.endpoint, plan.values(page: 0, offset: 0))
        let conditions = plan.isWalk ? nil : conditions
        let name = CallName.search(endpoint: request.endpoint, plan.pushdown)
        return try await fly(name, path: path, conditions: conditions, call: call) {
            [self] () async throws(UpstreamError) -> RemoteAnswer in
            plan.isWalk
                ? try await walk(plan, call)
                : try await fetch(plan, path: path, conditions: conditions, call: call)
        }
    }

    /// Asks for more ids than one request line can hold, part by part.
    private func search(
        _ request: RemoteSearch, in parts: [ArraySlice<EntityID>], of plan: RemoteSearchPlan,
        _ call: RemoteCall
    ) async throws(UpstreamError) -> RemoteAnswer {
        var whole = RemoteAnswer(pushdown: plan.pushdown, total: 0, startSeq: call.startSeq)
        var seen: Set<EntityID> = []
        for part in parts {
            var request = request
            request.query.ids = Array(part)
            let answer = try await search(request, conditions: nil, call: call)
            whole.entities += answer.entities.filter { seen.insert($0.id).inserted }
            whole.extracted += answer.extracted
            whole.dropped += answer.dropped
            whole.faulty += answer.faulty
            whole.isCut = whole.isCut || answer.isCut
            // A sum that no number holds is none.
            whole.total = whole.total.flatMap { total in
                answer.total.flatMap {
                    let sum = total.addingReportingOverflow($0)
                    return sum.overflow ? nil : sum.partialValue
                }
            }
            whole.startSeq = min(whole.startSeq, answer.startSeq)
        }
        return whole
    }

    package func pushdown(of request: RemoteSearch) throws(UpstreamError) -> RemotePushdown {
        try plan(for: request).pushdown
    }

    func plan(for request: RemoteSearch) throws(UpstreamError) -> RemoteSearchPlan {
        let endpoint = request.endpoint ?? "search"
        let search = request.endpoint.map { mapping.endpoints[$0] } ?? mapping.search
        guard let search else {
            let known = request.endpoint == nil ? [] : Array(mapping.endpoints.keys)
            throw Self.noCall(endpoint, among: known)
        }
        if let name = request.parameters.keys.sorted().first(where: { !search.takes($0) }) {
            throw .unaddressable(
                endpoint: endpoint, name: name, detail: "the endpoint has no such parameter")
        }
        return RemoteSearchPlan(request, search, endpoint: endpoint, renames: mapping.rename)
    }

    /// One flight for equal calls. Documents belong to one transaction, so whoever joins gets
    /// documents of its own.
    private func fly(
        _ name: CallName, path: String, conditions: RemoteValidators?, call: RemoteCall,
        work: @escaping @Sendable () async throws(UpstreamError) -> RemoteAnswer
    ) async throws(UpstreamError) -> RemoteAnswer {
        let key = FlightKey(
            call: name, path: path, etag: conditions?.etag,
            lastModified: conditions?.lastModified)
        let place = flights.enter(key, work)
        let answer = try await place.value()
        return place.isFirst ? answer : answer.withOwnDocuments()
    }

    private func fetch(
        _ id: EntityID, get: RemoteMapping.Call, path: String,
        conditions: RemoteValidators?, call: RemoteCall
    ) async throws(UpstreamError) -> RemoteAnswer {
        let response: UpstreamResponse
        do throws(UpstreamError) {
            response = try await send(get.method, path: path, conditions: conditions, call: call)
        } catch {
            guard error.saysAbsent else { throw error }
            return RemoteAnswer(isAbsent: true, startSeq: call.startSeq)
        }
        if let unchanged = try notModified(
            response, endpoint: "get", conditions: conditions, call: call)
        {
            return unchanged
        }
        let frame = try AnswerFrame(response, endpoint: "get")
        let decoded = try decodeOne(at: get.item, of: frame)
        guard decoded.entity.id == id else {
            throw frame.fault(
                at: get.item.appending(mapping.id),
                Excerpt(
                    own:
                        "the id \(Excerpt(of: id.bytes, masking: upstream.mask)) that was asked for"
                ))
        }
        if decoded.dropped > 0 { logDropped(decoded.dropped, in: "get") }
        return RemoteAnswer(
            entities: [decoded.entity], extracted: decoded.extracted,
            validators: response.validators, dropped: decoded.dropped, isComplete: true,
            startSeq: call.startSeq)
    }

    private func fetch(
        _ plan: RemoteSearchPlan, path: String, conditions: RemoteValidators?,
        call: RemoteCall
    ) async throws(UpstreamError) -> RemoteAnswer {
        let response = try await send("GET", path: path, conditions: conditions, call: call)
        if var unchanged = try notModified(
            response, endpoint: plan.endpoint, conditions: conditions, call: call)
        {
            unchanged.pushdown = plan.pushdown
            return unchanged
        }
        var list = EntityList()
        let count = try read(response, plan, into: &list)
        if plan.mayBePart(count: count, total: list.total),
            let whole = try await rest(behind: list, count, of: plan, call)
        {
            return whole
        }
        var answer = list.answer(plan, call)
        answer.validators = response.validators
        // 206: it says itself that there is more.
        answer.isComplete =
            response.status != 206
            && plan.isComplete(count: count, seen: list.count, total: list.total)
        answer.isCut = plan.hasMore(count: count, seen: list.count, total: list.total)
        report(list, plan, of: answer)
        return answer
    }

    /// Asks for the rest of a window of which `first` is the beginning, `count` elements as they were
    /// served.
    ///
    /// - Returns: nil where what comes behind `first` has been there, so that the service counts its rows
    ///   otherwise and serves no more of the window.
    private func rest(
        behind first: EntityList, _ count: Int, of plan: RemoteSearchPlan, _ call: RemoteCall
    ) async throws(UpstreamError) -> RemoteAnswer? {
        guard let window = plan.pushdown.window else { return nil }
        var list = first
        var seen = count
        var isCut = true
        var isEnd = false
        for parts in 1..<max(2, plan.search.maxPages) {
            var longer = list
            let part: Int
            do throws(UpstreamError) {
                let path = try expand(
                    plan.search.request, plan.endpoint, plan.values(behind: parts, seen: seen))
                part = try read(
                    try await send("GET", path: path, conditions: nil, call: call), plan,
                    into: &longer)
            } catch .cancelled {
                throw .cancelled
            } catch {
                // What has come is better than nothing.
                break
            }
            let news = longer.count - list.count
            guard news == part else {
                if parts == 1 { return nil }
                break
            }
            list = longer
            seen += part
            isEnd =
                part == 0
                || list.total.map { window.offset + list.count >= $0 } ?? (part < count)
            if isEnd || seen >= window.limit {
                isCut = part == 0 && plan.hasMore(count: part, seen: list.count, total: list.total)
                break
            }
        }
        var answer = list.answer(plan, call)
        answer.isComplete = isEnd && !isCut && window.offset == 0
        answer.isCut = isCut
        report(list, plan, of: answer)
        return answer
    }

    /// Asks page by page, for everything or for a window.
    private func walk(
        _ plan: RemoteSearchPlan, _ call: RemoteCall
    ) async throws(UpstreamError) -> RemoteAnswer {
        var list = EntityList()
        var offset = 0
        var longest = 0
        var isComplete = false
        var isCut = true
        var total: Int?
        var isSteady = true
        for page in 0..<plan.search.maxPages {
            let path = try expand(
                plan.search.request, plan.endpoint, plan.values(page: page, offset: offset))
            let known = list.count
            let count = try read(
                try await send("GET", path: path, conditions: nil, call: call), plan, into: &list)
            offset += count
            // What comes or goes between two pages moves others past them.
            if page > 0, list.total != total { isSteady = false }
            total = list.total
            if let end = plan.endOfWalk(
                count: count, longest: longest, seen: list.count,
                isNew: list.count > known, total: list.total)
            {
                isComplete = end && isSteady
                isCut = plan.hasMore(count: count, seen: list.count, total: total)
                break
            }
            longest = max(longest, count)
        }
        var answer = list.answer(plan, call)
        answer.isComplete = isComplete && plan.pushdown.window?.offset ?? 0 == 0
        answer.isCut = isCut
        if !isSteady { answer.total = nil }
        report(list, plan, of: answer)
        return answer
    }

    private func send(
        _ method: String, path: String, conditions: RemoteValidators?, call: RemoteCall
    ) async throws(UpstreamError) -> UpstreamResponse {
        var request = UpstreamRequest(method: method, path: path)
        request.isRepeatable = true
        if let etag = conditions?.etag, HeaderName.isValid(value: etag) {
            request.set("If-None-Match", etag)
        }
        if let date = conditions?.lastModified, HeaderName.isValid(value: date) {
            request.set("If-Modified-Since", date)
        }
        return try await upstream.perform(request, call: call)
    }

    private func notModified(
        _ response: UpstreamResponse, endpoint: String, conditions: RemoteValidators?,
        call: RemoteCall
    ) throws(UpstreamError) -> RemoteAnswer? {
        guard response.status == 304 else { return nil }
        guard let conditions, conditions != RemoteValidators() else {
            throw .shape(
                endpoint: endpoint, pointer: "",
                detail: "content, not 304 to a call without condition")
        }
        return RemoteAnswer(
            isNotModified: true, validators: response.validators ?? conditions,
            startSeq: call.startSeq)
    }

    // MARK: Answers

    /// - Returns: The elements of the list, those that are dropped included.
    private func read(
        _ response: UpstreamResponse, _ plan: RemoteSearchPlan, into list: inout EntityList
    ) throws(UpstreamError) -> Int {
        let frame = try AnswerFrame(response, endpoint: plan.endpoint, items: plan.search.items)
        var decoder = EntityDecoder(mapping, maximumBytes: maximumEntity)
        if let pointer = plan.search.total {
            list.total = try frame.withValue(at: pointer) { view -> Int? in
                view.int64.flatMap { $0 >= 0 ? Int($0) : nil }
            }
            if list.total == nil { throw frame.fault(at: pointer, "the number of matches") }
        }
        let count = try frame.withValue(at: plan.search.items) { view -> Int? in
            guard view.kind == .array else { return nil }
            var count = 0
            for element in view.elements {
                list.append(element, &decoder)
                count += 1
            }
            return count
        }
        guard let count else { throw frame.fault(at: plan.search.items, "a list of entities") }
        list.endPage()
        return count
    }

    private func decodeOne(
        at pointer: JSONPointer, of frame: AnswerFrame
    ) throws(UpstreamError) -> EntityDecoder.Decoded {
        var decoder = EntityDecoder(mapping, maximumBytes: maximumEntity)
        let outcome = try frame.withValue(at: pointer) {
            view -> Result<EntityDecoder.Decoded, EntityDecoder.Fault> in
            Result { () throws(EntityDecoder.Fault) in try decoder.decode(view) }
        }
        do throws(EntityDecoder.Fault) {
            return try outcome.get()
        } catch {
            throw frame.fault(
                at: pointer, Excerpt(own: "an entity, not one with a fault: \(error.sentence)"))
        }
    }

    private func report(
        _ list: EntityList, _ plan: RemoteSearchPlan, of answer: RemoteAnswer
    ) {
        if list.dropped > 0 {
            logDropped(list.dropped, in: plan.endpoint, firstFault: list.firstFault)
        }
        guard answer.isCut else { return }
        log.warning(
            "an upstream has more than it serves, or than one search asks for, or may have it",
            [
                "upstream": .string(upstreamName), "type": .string(mapping.type.text),
                "endpoint": .string(plan.endpoint), "maxPages": .integer(plan.search.maxPages),
                "elements": .integer(list.count),
                "total": .integer(list.total ?? -1),
            ])
    }

    package func noteUnfit(_ count: Int, first: String) {
        upstream.counters.dropped.add(count)
        log.warning(
            "entities of an upstream's answer break the rules of their type and are left out",
            [
                "upstream": .string(upstreamName), "type": .string(mapping.type.text),
                "elements": .integer(count), "first": .string(first),
            ])
    }

    private func logDropped(_ dropped: Int, in endpoint: String, firstFault: String? = nil) {
        upstream.counters.dropped.add(dropped)
        log.warning(
            "elements of an upstream's answer are no entities and are left out",
            [
                "upstream": .string(upstreamName), "type": .string(mapping.type.text),
                "endpoint": .string(endpoint), "elements": .integer(dropped),
                "first": .string(firstFault ?? "in an entity"),
            ])
    }

    // MARK: Requests

    private func expand(
        _ template: RequestTemplate, _ endpoint: String, _ values: (String) -> String?
    ) throws(UpstreamError) -> String {
        if let constant = template.constant { return constant }
        do throws(RequestTemplate.Fault) {
            return try template.expand(values)
        } catch {
            switch error {
            case .missing(let name):
                throw .unaddressable(
                    endpoint: endpoint, name: name,
                    detail: "the upstream's path needs a value of it")
            case .segment(let name):
                throw .unaddressable(
                    endpoint: endpoint, name: name,
                    detail: "its value cannot be a segment of the upstream's path")
            }
        }
    }

    /// - Parameter endpoints: Those that the configuration has, where one was named.
    private static func noCall(
        _ endpoint: String, among endpoints: some Sequence<String> = []
    ) -> UpstreamError {
        let names = endpoints.sorted()
        let known =
            names.isEmpty
            ? "" : "; it has " + names.map { "'\($0)'" }.joined(separator: ", ")
        return .unaddressable(
            endpoint: endpoint, name: nil,
            detail: "the configuration has no request '\(endpoint)'\(known)")
    }

    // MARK: Writing

    private func call(
        for write: RemoteWrite
    ) throws(UpstreamError) -> (RemoteMapping.Call, name: String) {
        if let endpoint = write.endpoint {
            guard let call = mapping.writeEndpoints[endpoint.name] else {
                throw Self.noCall(endpoint.name, among: mapping.writeEndpoints.keys)
            }
            if let fault = call.fault(in: endpoint.parameters) {
                throw .unaddressable(
                    endpoint: endpoint.name, name: fault.name, detail: fault.detail)
            }
            return (call, endpoint.name)
        }
        let call =
            switch write.action {
            case .create: mapping.create
            case .update: mapping.update
            case .remove: mapping.remove
            }
        guard let call else { throw Self.noCall(write.action.name) }
        return (call, write.action.name)
    }

    package func write(
        _ write: RemoteWrite, call: RemoteCall
    ) async throws(UpstreamError) -> RemoteWriteAnswer {
        let (template, endpoint) = try self.call(for: write)
        let id: EntityID
        var document: Document?
        switch write.action {
        case .create(let new): (id, document) = (new.id, new)
        case .update(let known, let new): (id, document) = (known, new)
        case .remove(let known): id = known
        }
        let path = try expand(template.request, endpoint) {
            $0 == "id" ? id.text : write.endpoint?.parameters[$0]
        }
        var request = UpstreamRequest(method: template.method, path: path)
        if let document {
            let isPatch = template.method == "PATCH"
            let encoder = EntityEncoder(
                mapping, sendsID: template.sendsID, nested: write.nested)
            request.body =
                isPatch
                ? encoder.patch(from: write.old, to: document) : encoder.bytes(of: document)
            request.set(
                "Content-Type", isPatch ? "application/merge-patch+json" : "application/json")
        }
        if let key = write.idempotencyKey { request.set("Idempotency-Key", key) }
        var call = call
        // A repeat of what is no request for a state might be done twice, since few services know keys:
        // it is for the outbox, or for who has asked.
        call.repeatsUnsure = template.method == "PUT" || template.method == "DELETE"
        let response: UpstreamResponse
        do throws(UpstreamError) {
            response = try await upstream.perform(request, call: call)
        } catch {
            guard document == nil, error.saysAbsent, case .status(let status, _, _) = error else {
                throw error
            }
            return RemoteWriteAnswer(status: status)
        }
        return answer(response, template, endpoint, hasEntity: document != nil)
    }

    /// The write is done: an answer without a readable entity is still its success.
    private func answer(
        _ response: UpstreamResponse, _ template: RemoteMapping.Call, _ endpoint: String,
        hasEntity: Bool
    ) -> RemoteWriteAnswer {
        var answer = RemoteWriteAnswer(
            status: response.status, validators: response.validators)
        guard hasEntity else { return answer }
        if !response.body.isEmpty {
            do throws(UpstreamError) {
                let frame = try AnswerFrame(response, endpoint: endpoint)
                let decoded = try decodeOne(at: template.item, of: frame)
                answer.entity = decoded.entity
                answer.extracted = decoded.extracted
                answer.id = decoded.entity.id
            } catch {
                log.warning(
                    "an upstream's answer to a write has no entity",
                    [
                        "upstream": .string(upstreamName), "type": .string(mapping.type.text),
                        "endpoint": .string(endpoint), "status": .integer(response.status),
                    ])
            }
        }
        if answer.id == nil, let location = response.header("Location") {
            answer.id = template.request.id(in: location)
        }
        return answer
    }
}

extension RemoteWrite.Action {
    /// The name of its request in the configuration.
    package var name: String {
        switch self {
        case .create: "create"
        case .update: "update"
        case .remove: "remove"
        }
    }
}

extension UpstreamError {
    /// 404 and 410: there is no such entity.
    var saysAbsent: Bool {
        if case .status(let status, _, _) = self { status == 404 || status == 410 } else { false }
    }
}

extension UpstreamResponse {
    /// What a later call can ask with whether this still holds.
    var validators: RemoteValidators? {
        let validators = RemoteValidators(
            etag: header("ETag"), lastModified: header("Last-Modified"))
        return validators == RemoteValidators() ? nil : validators
    }
}

extension JSONPointer {
    func appending(_ other: JSONPointer) -> JSONPointer {
        JSONPointer(tokens: tokens + other.tokens)
    }
}

extension RemoteAnswer {
    /// The answer with documents that nobody else has.
    func withOwnDocuments() -> RemoteAnswer {
        var copy = self
        var builder = DocumentBuilder()
        func own(_ entities: [RemoteEntity]) -> [RemoteEntity] {
            var result: [RemoteEntity] = []
            result.reserveCapacity(entities.count)
            for entity in entities {
                // A document's own JSON makes the document again.
                guard
                    let document = try? builder.build(
                        stored: entity.document.json, revision: 0,
                        checksum: entity.document.checksum)
                else { continue }
                result.append(
                    RemoteEntity(type: entity.type, id: entity.id, document: document))
            }
            return result
        }
        copy.entities = own(entities)
        copy.extracted = own(extracted)
        return copy
    }
}

/// The entities of an answer while it is read, each id once. What is no entity counts once for each place
/// of a page, and not again where a later page has the same bytes: an upstream that does not look at pages
/// serves it with each of them.
struct EntityList {
    private(set) var entities: [RemoteEntity] = []
    /// Elements that are no entities.
    private(set) var faulty = 0
    /// Those, and nested ones.
    private(set) var dropped = 0
    private(set) var firstFault: String?
    var total: Int?
    private var extracted: [RemoteEntity] = []
    private var seen: Set<EntityID> = []
    /// Hashes of the faulty elements of the pages before, and of the page that is read.
    private var faultyBefore: Set<Int> = []
    private var faultyHere: Set<Int> = []

    /// Elements, each once.
    var count: Int { entities.count + faulty }

    mutating func append(_ element: JSONView, _ decoder: inout EntityDecoder) {
        do throws(EntityDecoder.Fault) {
            let decoded = try decoder.decode(element)
            dropped += decoded.dropped
            guard seen.insert(decoded.entity.id).inserted else { return }
            entities.append(decoded.entity)
            extracted += decoded.extracted
        } catch {
            var hasher = Hasher()
            hasher.combine(bytes: element.bytes)
            let hash = hasher.finalize()
            guard !faultyBefore.contains(hash) else { return }
            faultyHere.insert(hash)
            faulty += 1
            dropped += 1
            if firstFault == nil { firstFault = error.sentence }
        }
    }

    /// Says that what comes next is of another page.
    mutating func endPage() {
        faultyBefore.formUnion(faultyHere)
        faultyHere = []
    }

    func answer(_ plan: RemoteSearchPlan, _ call: RemoteCall) -> RemoteAnswer {
        // An entity may be nested in many; the last one seen is the answer's.
        var last: [String: [EntityID: Int]] = [:]
        for (index, entity) in extracted.enumerated() {
            last[entity.type.text, default: [:]][entity.id] = index
        }
        let nested = extracted.enumerated()
            .filter { last[$0.element.type.text]?[$0.element.id] == $0.offset }.map(\.element)
        var answer = RemoteAnswer(
            entities: entities, extracted: nested, dropped: dropped, pushdown: plan.pushdown,
            total: total, startSeq: call.startSeq)
        answer.faulty = faulty
        return answer
    }
}
