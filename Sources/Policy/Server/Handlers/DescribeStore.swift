import FreshetBase
import FreshetCore
import FreshetEngine
import FreshetHTTP
import FreshetHTTPServer
import FreshetJSON
import FreshetStore

extension FreshetService {
    /// `GET /v1/_store`: whether what is stored is safe: the store's state, its files and what has
    /// been read of them, snapshots, space, backups. The directory is looked at on a worker.
    func describeStore(_ call: borrowing Call, _ response: inout ResponseWriter) throws(Problem) {
        let reply = call.reply
        try call.checkPlainJSON()
        onWorker(reply, response.detach()) { [self] exchange throws(Problem) in
            let disk: DiskReport?
            do throws(StoreError) {
                disk = try core.store.disk?.report()
            } catch {
                throw Problem(storeError: error, log)
            }
            exchange.answer(self, reply) { response in
                reply.json(&response, isKept: false) { self.append(disk, to: &$0) }
            }
        }
    }

    /// - Parameter disk: nil where there are no files.
    private func append(_ disk: DiskReport?, to body: inout ByteBuffer) {
        let store = core.store
        let (status, figures, views) = (store.status, store.metrics, store.views())
        body.append("{")
        body.member("state", status.phase.rawValue)
        body.member("reason", status.reason)
        body.member("durability", store.durability.name)
        body.member("directory", disk?.directory)
        body.member("format", disk?.format)
        body.member("epoch", views.cursor.epoch.description)
        body.member("revision", views.cursor.seq)
        body.member("durableRevision", disk?.durableSeq)
        body.member("entities", views.types.reduce(0) { $0 + $1.table.count })
        body.member("liveBytes", views.types.reduce(0) { $0 + $1.table.byteCount })
        body.member("files", each: disk?.files ?? []) { $0.append(to: &$1) }
        body.member("snapshot", disk) { $0.appendSnapshot(to: &$1) }
        body.member("scrub", disk) { $0.appendScrub(figures, to: &$1) }
        body.member("memoryErrors", figures.memoryErrors)
        body.member("space", disk?.space) { space, body in
            body.append("{")
            body.member("free", space.free)
            body.member("wanted", space.wanted)
            body.member("lowBelow", space.lowBelow)
            body.append("}")
        }
        body.member(
            "writes",
            [
                ("queued", figures.queued), ("commits", figures.commits),
                ("batches", figures.batches), ("syncs", figures.syncs),
            ])
        body.member("backup")
        backups.append(to: &body)
        body.member("recovery", store.disk?.recovery) { $0.encode(into: &$1) }
        if let files = store.replica?.cacheStatus {
            body.member("cache")
            body.append("{")
            body.member("state", files.phase.rawValue)
            body.member("reason", files.reason)
            body.append("}")
        }
        body.append("}")
    }
}

extension DiskReport.File {
    fileprivate func append(to body: inout ByteBuffer) {
        body.append("{")
        body.member("name", name)
        body.member("kind", kind.rawValue)
        body.member("bytes", bytes)
        body.member("firstSeq", firstSeq)
        body.member("lastSeq", lastSeq)
        body.member("active", isActive)
        body.member("verifiedAt", verifiedAt)
        body.member("state", state.rawValue)
        body.append("}")
    }
}

extension DiskReport {
    /// Appends the newest snapshot, its members null where there is none, and when the next is due.
    fileprivate func appendSnapshot(to body: inout ByteBuffer) {
        body.append("{")
        body.member("seq", snapshot?.seq)
        body.member("bytes", snapshot?.bytes)
        body.member("writtenAt", snapshot?.writtenAt)
        body.member("durationMs", snapshot?.duration.map { $0.wholeMilliseconds })
        body.member("logBytesSince", logBytes)
        body.member("dueAtLogBytes", dueLogBytes)
        body.member("running", snapshotPercent) { percent, body in
            body.append("{")
            body.member("percent", percent)
            body.append("}")
        }
        body.append("}")
    }

    fileprivate func appendScrub(_ figures: StoreMetrics, to body: inout ByteBuffer) {
        body.append("{")
        body.member("bytesPerSecond", scrubRate)
        body.member("passes", figures.scrubs)
        body.member("damages", figures.scrubDamages)
        body.member("last", lastScrub) { pass, body in
            body.append("{")
            body.member("endedAt", pass.endedAt)
            body.member("durationMs", pass.duration.wholeMilliseconds)
            body.member("bytes", pass.bytes)
            body.append("}")
        }
        body.member("running", scrub) { progress, body in
            body.append("{")
            body.member("file", progress.file)
            body.member("done", progress.done)
            body.member("all", progress.all)
            body.append("}")
        }
        body.append("}")
    }
}
