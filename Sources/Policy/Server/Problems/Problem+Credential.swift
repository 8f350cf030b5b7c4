import FreshetRemote

extension Problem {
    /// Why a credential does not serve.
    ///
    /// - Parameter isOrigin: This request has found it out, and not an earlier one.
    init(auth code: UpstreamError.AuthCode, isOrigin: Bool, detail: String) {
        let word: ProblemCode =
            switch code {
            case .refresh: .authRefresh
            case .loop: .authLoop
            case .critical: .authCritical
            }
        self.init(
            word, detail, members: isOrigin ? [.json("origin", Array("true".utf8))] : [])
    }
}
