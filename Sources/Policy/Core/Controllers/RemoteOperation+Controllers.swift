import FreshetBase
package import FreshetOperations

extension RemoteOperation: ControlledNotes {
    package var valueVersion: UInt64 { store.state.valueVersion }

    package func noteValue(count: Int?, isWhole: Bool) {
        noteValue(count: count, isWhole: isWhole, generation: nil)
    }

    package func noteError(_ error: any Error, fails: Bool) { note(error: error, fails: fails) }

    /// How its controllers stand.
    package var controllerReports: [ControllerReport] { hub?.controllerReports(of: id) ?? [] }
}
