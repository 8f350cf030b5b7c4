import FreshetJSON

/// A document that takes several patches before it is one again (`DocumentBuilder.merge`).
package struct DocumentDraft {
    /// What the patches are applied to; kept, since the draft is views of its text.
    package let base: Document
    let object: JSONDraft

    package init(_ base: Document) {
        self.base = base
        object = JSONDraft(JSONView(canonical: base.json))
    }
}
