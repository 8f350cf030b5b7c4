import FreshetCore
import FreshetHTTPServer
import FreshetStore

// A write that was begun while this server led, and is refused since it leads no more.

extension FreshetService {
    /// Detaches a write. In a cluster its request is kept, for the server that leads by then.
    func detachWrite(_ response: inout ResponseWriter) -> Exchange {
        cluster == nil ? response.detach() : response.postpone()
    }

    /// Whether the write was refused since this server leads no more: the request of `exchange` is
    /// the next leader's then.
    func sendsOn(
        _ result: Result<WriteAnswer, WriteFailure>, _ reply: Reply, _ exchange: Exchange
    ) -> Bool {
        guard case .failure(.notCommitted(let outcome)) = result else { return false }
        return sendsOn(outcome, for: reply, exchange)
    }

    /// Whether an order that had to be stored was refused for that reason.
    func sendsOn(_ outcome: WriteOutcome, for reply: Reply, _ exchange: Exchange) -> Bool {
        guard let cluster, case .notLeader = outcome else { return false }
        cluster.lookAgain(exchange, isUnsure: reply.isUnsure)
        return true
    }
}
