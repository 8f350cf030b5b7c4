/// A text that must not be seen: no description, interpolation, dump or mirror shows it.
///
/// It is revealed where it is sent or stored, and nowhere else.
package struct Secret: Sendable, Equatable {
    private let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// The text itself. Never for a log, a problem or another description.
    package func reveal() -> String { text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "***" }
    package var debugDescription: String { "***" }
    package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
