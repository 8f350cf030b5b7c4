import Foundation
import Freshet
import Testing

@Suite("The article on try, refresh, retry")
struct TryRefreshRetryArticle {
    private struct Service: Sendable {
        func login() async -> String { "t1" }

        func get(_ path: String, token: String) async -> (status: Int, body: String) {
            token == "t1" ? (200, "the page") : (401, "")
        }
    }

    private let service = Service()

    @Test("Its code runs")
    func article() async throws {
        let token = Dependency<String>()
        let page = try await token.run { token in
            let answer = await service.get("/page", token: token)
            return answer.status == 401 ? .dependencyRequiresRefresh : .success(answer.body)
        } refresh: { _ in
            .success(RenewedValue(await service.login(), lifetime: .seconds(3600)))
        }
        #expect(page == "the page")

        var policy = DependencyPolicy()
        policy.skew = .seconds(30)
        policy.retryFailedAfter = .seconds(10)
        let session = Dependency<String>(policy: policy)
        session.store("from before", lifetime: .seconds(600))
        print(session.status)
    }
}
