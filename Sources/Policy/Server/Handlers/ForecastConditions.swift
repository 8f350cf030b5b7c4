import FreshetBase
import FreshetCore
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetRefresh

extension FreshetService {
    /// `POST /v1/_conditions/_forecast`: what setting them would turn, run and abort; nothing changes.
    func forecastConditions(_ call: borrowing Call, _ response: inout ResponseWriter)
        throws(Problem)
    {
        let reply = call.reply
        try call.checkPlainJSON()
        let writes = try conditionWrites(call.request.body)
        // As many specifications as there are may hang by them.
        onWorker(reply, response.detach()) { [self] exchange throws(Problem) in
            let forecast: BoardForecast
            do throws(UnknownCondition) {
                forecast = try core.operations.board.forecast(writes)
            } catch {
                throw noCondition(error.name, at: nil)
            }
            exchange.answer(self, reply) { response in
                reply.json(&response, isKept: false) { forecast.append(to: &$0) }
            }
        }
    }
}

extension BoardForecast {
    /// `{"conditions","specs","operations"}`: only what turns, runs, or is asked to.
    fileprivate func append(to body: inout ByteBuffer) {
        body.append("{")
        body.member("conditions", each: conditions) { Self.append(named: $0, to: &$1) }
        body.member("specs", each: specs) { Self.append(named: $0, to: &$1) }
        body.member("operations", each: operations) { operation, body in
            body.append("{")
            body.member("id", operation.id)
            for slot in operation.slots {
                body.append(",")
                body.append(jsonString: slot.name)
                body.append(":{")
                Self.append(slot, to: &body)
                body.append("}")
            }
            body.member("runs", operation.runs)
            body.member("because", operation.reason?.rawValue)
            body.member("cancels", operation.cancels)
            body.append("}")
        }
        body.append("}")
    }

    private static func append(named turn: Turn, to body: inout ByteBuffer) {
        body.append("{")
        body.member("name", turn.name)
        append(turn, to: &body)
        body.append("}")
    }

    private static func append(_ turn: Turn, to body: inout ByteBuffer) {
        body.member("from", !turn.value)
        body.member("to", turn.value)
    }
}
