/// How a value is renewed. Whoever finds a refresh due hands its own one over; it is run by the
/// dependency, at most one at a time, and lives on when that caller leaves.
public struct DependencyRefresh<Value: Sendable>: Sendable {
    typealias End = DependencyMachine<Value>.RefreshEnd

    private let run: @Sendable (Value?, TimeLimit) async -> End

    /// - Parameter body: Gets the newest value, which may have expired or been refused; nil where
    ///   there is none. It is cancelled when its time is up.
    public init(
        _ body:
            @escaping @Sendable (Value?) async throws -> DependencyResult<RenewedValue<Value>>
    ) {
        run = { previous, time in
            let outcome = await time.run { try await body(previous) }
            return switch outcome {
            case .success(.success(let renewed)): .renewed(renewed)
            case .success(.dependencyRequiresRefresh): .failed(reason: "the refresh was refused")
            case .success(.criticalError(let reason)): .critical(reason: reason)
            case .failure(.timedOut): .timedOut
            case .failure(.thrown(let error)): .failed(reason: Self.sentence(for: error))
            }
        }
    }

    /// A refresh that itself depends on the value of `outer`.
    ///
    /// A refusal of the refresh (`dependencyRequiresRefresh`) makes `outer` renew its value, in the
    /// single flight that it offers all its users, and the refresh then starts over from nothing
    /// with the new one. Only refusals climb: a refresh that throws, takes too long or is critical
    /// ends as it would alone. A fault of `outer` is one of this refresh; where `outer` is critical
    /// the refresh is.
    ///
    /// - Parameter body: Gets the newest value, nil after a refusal, and the value of `outer`.
    public init<Outer: Sendable>(
        within outer: Dependency<Outer>, refreshOuter: DependencyRefresh<Outer>,
        _ body:
            @escaping @Sendable (Value?, Outer) async throws -> DependencyResult<
                RenewedValue<Value>
            >
    ) {
        run = { previous, time in
            var start = previous
            do {
                return try await outer.run(
                    task: { outerValue in
                        let previous = start
                        let outcome = await time.run {
                            try await body(previous, outerValue)
                        }
                        // What ends without a refusal is thrown past `outer`: it says nothing of it.
                        switch outcome {
                        case .success(.success(let renewed)): return .success(.renewed(renewed))
                        case .success(.dependencyRequiresRefresh):
                            start = nil
                            return .dependencyRequiresRefresh
                        case .success(.criticalError(let reason)):
                            throw Verbatim(end: .critical(reason: reason))
                        case .failure(.timedOut): throw Verbatim(end: .timedOut)
                        case .failure(.thrown(let error)):
                            throw Verbatim(end: .failed(reason: Self.sentence(for: error)))
                        }
                    }, refresh: refreshOuter)
            } catch let verbatim as Verbatim {
                return verbatim.end
            } catch DependencyError.critical(let reason, _) {
                return .critical(reason: reason)
            } catch {
                return .failed(reason: Self.sentence(for: error))
            }
        }
    }

    /// Carries the end of a refresh through the dependency that it runs in.
    private struct Verbatim: Error {
        let end: End
    }

    func callAsFunction(
        _ previous: Value?, within time: TimeLimit
    ) async -> DependencyMachine<Value>.RefreshEnd {
        await run(previous, time)
    }

    private static func sentence(for error: any Error) -> String {
        switch error {
        case let failure as RefreshFailure: failure.reason
        case is CancellationError: "the refresh was cancelled"
        case DependencyError.refreshFailed(let reason, _, _): reason
        case DependencyError.refreshLoop: "the refresh was refused even with what it needs renewed"
        case DependencyError.tooManyWaiting: "too many wait for what the refresh needs"
        default: "the refresh threw \(type(of: error))"
        }
    }
}
