/// One event of an event stream (`text/event-stream`), as it was sent.
public struct StreamEvent: Sendable, Equatable {
    /// `message` where the stream names none.
    public var name: String
    /// The data lines, joined by line feeds. A Freshet server sends one line of JSON.
    public var data: [UInt8]
    /// The last id of the stream so far, this event's own included: where a later connection resumes.
    /// Empty before the first.
    public var id: String
    /// Whether `_meta` stands in its items for the sake of revisions alone, and nobody has asked for it.
    package var bearsMeta = false

    public init(name: String, data: [UInt8], id: String = "") {
        self.name = name
        self.data = data
        self.id = id
    }

    /// Makes an event whose data are text.
    public init(name: String, data: String, id: String = "") {
        self.init(name: name, data: Array(data.utf8), id: id)
    }

    /// The data as text; what is no UTF-8 is replaced.
    public var text: String { String(decoding: data, as: UTF8.self) }
}
