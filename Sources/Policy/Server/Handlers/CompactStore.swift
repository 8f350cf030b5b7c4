import Dispatch
import FreshetBase
import FreshetCore
import FreshetHTTPServer
import FreshetJSON
import FreshetStore

extension FreshetService {
    /// `POST /v1/_store/compact`: writes a snapshot now, verifies it, and deletes the files that no
    /// kept generation needs. Writes go on. Answers when that is done.
    func compactStore(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        _ = try call.context.onlyParameters()
        try order(call.reply, &response) { store throws(StoreError) in
            let report = try store.compact()
            return "{\"revision\":\(report.seq),\"entities\":\(report.entities),"
                + "\"bytes\":\(report.bytes),\"removedFiles\":\(report.removedFiles),"
                + "\"durationMs\":\(report.duration.wholeMilliseconds)}\n"
        }
    }

    /// `POST /v1/_store/scrub`: compares every live file and every entity in memory with their
    /// checksums, and replaces what is damaged. Answers when that is done.
    func scrubStore(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        _ = try call.context.onlyParameters()
        try order(call.reply, &response) { store throws(StoreError) in
            let report = store.scrub()
            guard report.failure == nil else {
                throw .notReadable(
                    directory: "the data directory", reason: report.failure ?? "")
            }
            var body = ByteBuffer()
            body.append("{")
            body.member("files", report.files)
            body.member("bytes", report.bytes)
            body.member("entities", report.entities)
            body.member("damaged", each: report.damages) {
                $1.append(jsonString: $0.description)
            }
            body.member("memoryErrors", report.memoryErrors)
            body.member("durationMs", report.duration.wholeMilliseconds)
            body.append("}\n")
            return String(decoding: body.bytes, as: UTF8.self)
        }
    }

    /// Does something long with the store's files and answers with what it says.
    private func order(
        _ reply: Reply, _ response: inout ResponseWriter,
        _ work: @escaping @Sendable (any DiskStore) throws(StoreError) -> String
    ) throws(Problem) {
        guard let store = core.store.disk else { throw .noFiles }
        let exchange = response.detach()
        let isTaken = storeOrders.perform { [self] in
            let result = Result { () throws(StoreError) in try work(store) }
            exchange.answer(self, reply) { [self] response in
                switch result {
                case .success(let text):
                    reply.beginJSON(&response)
                    response.end(text: text)
                case .failure(let error):
                    fail(Problem(storeError: error, log), reply, &response)
                }
            }
        }
        guard !isTaken else { return }
        exchange.answer(self, reply) {
            self.fail(
                Problem(.overloaded, "\(StoreOrders.most) such requests wait already"), reply, &$0)
        }
    }
}
