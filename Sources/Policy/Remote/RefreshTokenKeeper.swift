import FreshetBase
import FreshetRefresh

/// Holds the newest refresh token of a credential and, where it is to last, its file.
///
/// A refresh notes down what it has got before anybody uses the access token that came with it: a
/// crash can lose a rotated token only while its answer is on the way. An operator's token begins a
/// new generation, and a refresh of an older one changes nothing any more.
// SAFETY: all mutable state is read and written under `lock`, `kept` on the worker of files only.
final class RefreshTokenKeeper: @unchecked Sendable {
    private let configured: Secret?
    private let file: RefreshTokenFile?
    private let report: @Sendable (RefreshTokenFile.Fault) -> Void

    private let lock = Lock()
    private var token: Secret?
    private var version: UInt64
    private var generation: UInt64 = 0
    private var isKept = false
    /// What the file holds.
    private var kept: RefreshTokenFile.Content?

    /// - Parameter file: nil where no secret is to be written.
    init(
        configured: Secret?, file: RefreshTokenFile?,
        report: @escaping @Sendable (RefreshTokenFile.Fault) -> Void
    ) {
        self.configured = configured
        self.file = file
        self.report = report
        do throws(RefreshTokenFile.Fault) {
            kept = try file?.read()
        } catch {
            report(error)
        }
        token = kept?.refreshToken ?? configured
        version = kept?.version ?? 0
        isKept = kept != nil
    }

    /// The version of the access token that came with the kept refresh token; 0 without one.
    var keptVersion: UInt64 { lock.withLock { version } }

    var current: (token: Secret?, generation: UInt64) {
        lock.withLock { (token, generation) }
    }

    /// Whether the newest token is on the disk.
    var isPersisted: Bool { lock.withLock { isKept } }

    /// Takes a token that a refresh of that generation has brought; returns when it is kept.
    func rotate(_ token: Secret, version: UInt64, generation: UInt64) async {
        let isCurrent = lock.withLock {
            guard generation == self.generation else { return false }
            set(token, version: version)
            return true
        }
        guard isCurrent, file != nil else { return }
        await Promise.value { fulfil in
            PolicyWorkers.files.perform {
                self.persist()
                fulfil(())
            }
        }
    }

    /// Takes an operator's token, or goes back to the configured one; waits for the disk.
    func replace(_ token: Secret?, version: UInt64) {
        lock.withLock {
            generation += 1
            set(token ?? configured, version: version)
        }
        guard file != nil else { return }
        PolicyWorkers.files.performAndWait { persist() }
    }

    private func set(_ token: Secret?, version: UInt64) {
        self.token = token
        self.version = version
        isKept = false
    }

    /// On the worker of files, since it waits for the disk: brings the file to what holds now, whoever asked first.
    private func persist() {
        guard let file else { return }
        let wanted = lock.withLock {
            token.flatMap {
                $0 == configured
                    ? nil : RefreshTokenFile.Content(refreshToken: $0, version: version)
            }
        }
        do throws(RefreshTokenFile.Fault) {
            if let wanted {
                if wanted.refreshToken != kept?.refreshToken { try file.write(wanted) }
            } else {
                try file.remove()
            }
            kept = wanted
            lock.withLock { isKept = wanted != nil && wanted?.refreshToken == token }
        } catch {
            report(error)
        }
    }
}
