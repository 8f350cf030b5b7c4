/// On whose behalf a fetch goes out, for the logs of both sides.
package struct RemoteCaller: Sendable {
    package var requestID: String?
    package var traceparent: String?

    package init(requestID: String? = nil, traceparent: String? = nil) {
        self.requestID = requestID
        self.traceparent = traceparent
    }
}
