/// Drives an operation from outside: by values of its own, by errors, by asking for reruns.
///
/// ```swift
/// struct Ticker: OperationController {
///     func control(with controls: OperationControls) throws -> RunSubscription {
///         let feed = try Feed.open { quote in
///             controls.yield(ControlledValue(put: [quote.json], remove: []))
///         }
///         return RunSubscription { feed.close() }
///     }
/// }
/// ```
///
/// The service calls `control(with:)` when the operation is to be driven, on a thread of the
/// controller's own, and cancels what it returned when that is over; both may happen any number of
/// times. It is to return within five seconds and to leave the work to whatever it has set up. One that
/// throws is called again later; one that does not return is cut off; one that yields faster than the
/// values can be stored is ended and called again later. All of that is counted, stands in the
/// operation's document, and touches no other operation.
public protocol OperationController: Sendable {
    func control(with controls: OperationControls) throws -> RunSubscription
}
