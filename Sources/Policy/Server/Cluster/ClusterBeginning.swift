package import FreshetBase
package import FreshetConfig
import FreshetLogDrivers
package import FreshetStore

/// `freshet cluster init` and `recover`: a log that begins with what a directory holds.
package enum ClusterBeginning {
    /// - Parameters:
    ///   - settings: Of these the log and what its engine wants.
    ///   - isRecovery: The directory is that of a server of a cluster, whose log was lost.
    /// - Throws: `StartFailure`.
    package static func make(
        _ settings: ClusterSettings, from directory: String, isRecovery: Bool, log: Log,
        progress: (RecoveryProgress) -> Void
    ) throws(StartFailure) -> RestoreReport {
        let engine = try ClusterStore.engine(settings)
        try ClusterStore.look(at: engine, log)
        do throws(StoreError) {
            return try ReplicaDirectory.beginLog(
                engine, from: directory, isRecovery: isRecovery,
                writerVersion: BuildInfo.current.version, progress: progress)
        } catch {
            throw StartFailure(sentence: error.description)
        }
    }
}
