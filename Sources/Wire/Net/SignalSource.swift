package import Dispatch
import Glibc

/// Delivers signals of the process to a handler on a queue, where everything may be called.
///
/// The default action of each signal is switched off while the source exists.
package final class SignalSource {
    private let sources: [any DispatchSourceSignal]
    private let signals: [CInt]

    /// Starts to listen.
    ///
    /// - Parameter handler: Called with the signal's number, one call at a time.
    package init(
        _ signals: [CInt], queue: DispatchQueue = DispatchQueue(label: "freshet.signals"),
        handler: @escaping @Sendable (CInt) -> Void
    ) {
        self.signals = signals
        sources = signals.map { number in
            Glibc.signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { handler(number) }
            source.activate()
            return source
        }
    }

    /// Stops to listen and gives the signals their default action back.
    package func cancel() {
        for source in sources { source.cancel() }
        for number in signals { Glibc.signal(number, SIG_DFL) }
    }

    deinit { cancel() }
}
