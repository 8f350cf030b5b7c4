import FreshetRemote

extension Problem {
    /// Why a credential does not serve.
    ///
    /// - Parameter isOrigin: This request has found it out, and not an earlier one.
    init(auth code: UpstreamError.AuthCode, isOrigin: Bool, detail: String) {
        self.init(
            ProblemCode(code), detail,
            members: isOrigin ? [.json("origin", Array("true".utf8))] : [])
    }
}

extension ProblemCode {
    init(_ code: UpstreamError.AuthCode) {
        self =
            switch code {
            case .refresh: .authRefresh
            case .loop: .authLoop
            case .critical: .authCritical
            }
    }
}
