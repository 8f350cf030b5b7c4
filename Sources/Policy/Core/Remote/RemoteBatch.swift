import FreshetQuery
import FreshetRemote

/// Entities by their ids, where the remote cannot be asked for several at once.
enum RemoteBatch {
    /// Ids beyond which a remote that can be searched is searched instead. One that cannot is asked
    /// for as many as a query may name.
    static let mostGets = 200
    /// Gets on their way at once.
    private static let width = 8

    static func get(
        _ ids: [EntityID], from source: any RemoteSource, _ call: RemoteCall
    ) async throws(UpstreamError) -> RemoteAnswer {
        let results = await withTaskGroup(
            of: (Int, Result<RemoteAnswer, UpstreamError>).self
        ) { group in
            var results: [Result<RemoteAnswer, UpstreamError>?] = ids.map { _ in nil }
            func begin(_ index: Int) {
                group.addTask {
                    // Not as a part of the tuple: what is awaited inside of a group's result takes
                    // the place of the member before it where the compiler optimises (Swift 6.3).
                    let result: Result<RemoteAnswer, UpstreamError>
                    do throws(UpstreamError) {
                        result = .success(
                            try await source.get(ids[index], conditions: nil, call: call))
                    } catch .unaddressable {
                        // An id that cannot stand in a path of the remote is none of its.
                        result = .success(RemoteAnswer(startSeq: call.startSeq))
                    } catch {
                        result = .failure(error)
                    }
                    return (index, result)
                }
            }
            var next = min(width, ids.count)
            for index in 0..<next { begin(index) }
            while let (index, result) = await group.next() {
                results[index] = result
                // What has failed once fails the whole.
                if case .failure = result {
                    group.cancelAll()
                } else if next < ids.count {
                    begin(next)
                    next += 1
                }
            }
            return results
        }
        var answer = RemoteAnswer(startSeq: call.startSeq)
        for case .failure(let error)? in results where error != .cancelled { throw error }
        for (id, result) in zip(ids, results) {
            guard let result else { throw .cancelled }
            let one = try result.get()
            if one.isAbsent { answer.absentIDs.append(id) }
            answer.entities += one.entities
            answer.extracted += one.extracted
            answer.dropped += one.dropped
            answer.startSeq = min(answer.startSeq, one.startSeq)
        }
        answer.pushdown = RemotePushdown(sendsIDs: true)
        return answer
    }
}
