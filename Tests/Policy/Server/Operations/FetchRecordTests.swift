import FreshetCore
import FreshetEngine
import FreshetQuery
import FreshetServer
import FreshetStore
import FreshetTestSupport
import Testing

/// What is kept of the fetches of single entities.
@Suite struct FetchRecordTests {
    @Test func theRecordsOfRemovedEntitiesGoBehindLaterFetches() async throws {
        try await offPool {
            let ids = (0..<100).map { "row\($0)" }
            let scene = try FetchScenarioTests.Scene((["kept"] + ids).map { #"{"id":"\#($0)"}"# })
            #expect(try scene.get("/kept").status == 200)
            for id in ids {
                #expect(try scene.get("/\(id)").status == 200)
                #expect(try scene.server.send("DELETE", "/v1/todo/\(id)").status == 204)
            }
            let records = scene.server.server.core.store.view(.internal("fetched"))
            #expect(records?.count ?? 0 < 20)
            #expect(records?.document(try EntityID("todo/kept")) != nil)
        }
    }
}
