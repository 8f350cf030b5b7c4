import Dispatch
import Foundation
import FoundationNetworking
import FreshetBase

/// The session of one base address: what `URLSessionTransport` and `URLSessionStreams`, which have
/// one each, share. What an exchange is, and how it ends, is theirs.
final class UpstreamSession<Exchange: SessionExchange>: Sendable {
    let base: UpstreamBase
    let exchanges = SessionExchanges<Exchange>()
    private let session: URLSession
    /// Of the delegate; its own, so that nothing else can keep it from running.
    private let queue: DispatchQueue

    /// - Parameter connections: At most.
    /// - Parameter label: Of the delegate's queue.
    init(base: UpstreamBase, connections: Int, label: String) {
        self.base = base
        queue = DispatchQueue(label: label)
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = connections
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        let operations = OperationQueue()
        operations.maxConcurrentOperationCount = 1
        operations.underlyingQueue = queue
        session = URLSession(
            configuration: configuration, delegate: exchanges, delegateQueue: operations)
    }

    deinit {
        // The session keeps its delegate until then. Whatever still runs has been cancelled, or must
        // not be; streams that are still read go on, and the session ends with the last.
        session.finishTasksAndInvalidate()
    }

    /// A task that is yet to be resumed.
    ///
    /// - Parameter path: From the origin on, so that a redirect may leave the base's path.
    /// - Parameter silence: Seconds without a byte until the session gives the task up.
    func task(
        for request: UpstreamRequest, at path: String, silence: Double
    ) throws(UpstreamError) -> URLSessionDataTask {
        guard path.isEmpty || path.hasPrefix("/"), let url = URL(string: base.origin + path) else {
            throw .unreachable(.other, detail: "the path behind the base is no path")
        }
        var asked = URLRequest(url: url)
        asked.httpMethod = request.method
        asked.httpBody = request.body.map { Data($0) }
        asked.timeoutInterval = silence
        for (name, value) in request.headers { asked.setValue(value, forHTTPHeaderField: name) }
        return session.dataTask(with: asked)
    }

    /// The most redirects of one request.
    static var maximumRedirects: Int { 3 }

    /// The path that an answer leads to, where it is a redirect within the origin.
    func redirect(from path: String, status: Int, location: String?) -> String? {
        guard [301, 302, 303, 307, 308].contains(status), let location else { return nil }
        return base.redirect(from: path, to: location)
    }
}

/// What a session tells of one of its tasks.
protocol SessionExchange: AnyObject, Sendable {
    /// - Returns: Whether the body is wanted.
    func receive(_ response: URLResponse) -> Bool

    func receive(_ data: Data)

    /// Ends the exchange with the head of a redirect.
    ///
    /// - Returns: Whether the session's question is to be answered with no. The session traps where
    ///   a task is cancelled between its question and our answer: whoever was cancelled is not
    ///   answered, and whoever is answered is not cancelled.
    func redirect(_ response: HTTPURLResponse) -> Bool

    func complete(_ error: (any Error)?)
}

/// The delegate of a session: its exchanges by the number of their task.
// SAFETY: `running` is read and written under `lock` only.
final class SessionExchanges<Exchange: SessionExchange>: NSObject, URLSessionDataDelegate,
    @unchecked Sendable
{
    private let lock = Lock()
    private var running: [Int: Exchange] = [:]

    /// - Returns: false where `limit` exchanges are under way.
    func add(_ exchange: Exchange, for task: URLSessionTask, limit: Int = .max) -> Bool {
        lock.withLock {
            guard running.count < limit else { return false }
            running[task.taskIdentifier] = exchange
            return true
        }
    }

    /// Whatever the session still says of the task is dropped from now on.
    func remove(_ number: Int) {
        _ = lock.withLock { running.removeValue(forKey: number) }
    }

    private func exchange(of task: URLSessionTask) -> Exchange? {
        lock.withLock { running[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let goesOn = exchange(of: dataTask)?.receive(response) ?? false
        completionHandler(goesOn ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.receive(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        if exchange(of: task)?.redirect(response) == true { completionHandler(nil) }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        // A 401 that is whole. The session would look for a user and a password; the header fields
        // of our requests are all that there is, so the 401 is the answer.
        exchange(of: task)?.complete(nil)
        completionHandler(.cancelAuthenticationChallenge, nil)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        exchange(of: task)?.complete(error)
    }
}

extension HTTPURLResponse {
    /// The header fields by name.
    var fields: [(String, String)] {
        allHeaderFields.compactMap { name, value in
            guard let name = name as? String, let value = value as? String else { return nil }
            return (name, value)
        }
    }
}
