import FreshetBase
import FreshetHTTP
import FreshetQuery

/// What one event loop reuses from request to request, so that a request allocates nothing of it.
// SAFETY: a context belongs to one event loop and is touched on that loop's thread only.
final class LoopContext: @unchecked Sendable {
    private struct State: ~Copyable {
        var path = PathSegments()
        var parameters = QueryParameters()
        var builder = DocumentBuilder()
        var scratch = ByteBuffer(capacity: 4096)
        /// The authority of the last request that was let in; most requests repeat it.
        var authority = ByteBuffer(capacity: 64)
        var generation = -1
        var type: TypeName?
        var tokens = TokenCache()
        var searches = QueryCache()
        /// Random start, so that ids of two processes do not meet; odd step, so that they do not
        /// repeat.
        var nextRequestNumber = UInt64.random(in: .min ... .max)
    }

    /// Behind a pointer, because each access to a stored property of a class is checked at run
    /// time, about 5 ns.
    private let state: UnsafeMutablePointer<State>

    init() {
        state = .allocate(capacity: 1)
        state.initialize(to: State())
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
    }

    var path: PathSegments {
        _read { yield state.pointee.path }
        _modify { yield &state.pointee.path }
    }

    var parameters: QueryParameters {
        _read { yield state.pointee.parameters }
        _modify { yield &state.pointee.parameters }
    }

    var builder: DocumentBuilder {
        _read { yield state.pointee.builder }
        _modify { yield &state.pointee.builder }
    }

    /// Tokens that were let in.
    var tokens: TokenCache {
        _read { yield state.pointee.tokens }
        _modify { yield &state.pointee.tokens }
    }

    /// Searches that were asked before.
    var searches: QueryCache {
        _read { yield state.pointee.searches }
        _modify { yield &state.pointee.searches }
    }

    var scratch: ByteBuffer {
        _read { yield state.pointee.scratch }
        _modify { yield &state.pointee.scratch }
    }

    func makeRequestID() -> RequestID {
        state.pointee.nextRequestNumber &+= 0x9E37_79B9_7F4A_7C15
        return .made(state.pointee.nextRequestNumber)
    }

    /// Whether `authority` is that of the last request that was let in.
    ///
    /// - Parameter generation: Counts the changes of the guard that lets requests in.
    func isKnown(authority: UnsafeRawBufferPointer, _ generation: Int) -> Bool {
        state.pointee.generation == generation
            && Bytes.equal(state.pointee.authority.bytes, authority)
    }

    func remember(authority: UnsafeRawBufferPointer, _ generation: Int) {
        state.pointee.generation = generation
        state.pointee.authority.removeAll()
        state.pointee.authority.append(authority)
    }

    /// The `{type}` of the path; the last one is at hand.
    func type() throws(Problem) -> TypeName {
        let bytes = state.pointee.path[1]
        if let last = state.pointee.type, last.withBytes({ Bytes.equal($0, bytes) }) { return last }
        guard let type = TypeName(bytes: bytes) else {
            throw Problem(
                .notFound, "'\(String(decoding: bytes.prefix(80), as: UTF8.self))' is no type name",
                hint: TypeName.rule)
        }
        state.pointee.type = type
        return type
    }

    /// The `{id}` of the path.
    func id() throws(Problem) -> EntityID {
        do {
            return try EntityID(text: path[2])
        } catch {
            throw Problem(.badRequest, "the id in the path is not valid: \(error.sentence)")
        }
    }

    func parse(path: UnsafeRawBufferPointer) throws(Problem) {
        do { try state.pointee.path.parse(path) } catch { throw .badRequest(error) }
    }

    func parse(query: UnsafeRawBufferPointer) throws(Problem) {
        do { try state.pointee.parameters.parse(query) } catch { throw .badRequest(error) }
    }
}
