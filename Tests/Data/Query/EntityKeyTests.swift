import FreshetQuery
import Testing

@Suite struct EntityKeyTests {
    @Test(
        "A key is found again in its text, whatever its id begins with",
        arguments: ["a", "a/b", "/", "//", "\u{301}x", "\u{200D}", "\u{FE0F}", "7", " "])
    func textIsThatOfTheKey(_ id: String) throws {
        let key = EntityKey(try #require(TypeName("w")), try EntityID(id))
        #expect(EntityKey(text: key.text) == key)
    }

    @Test("A text without a type or an id is no key", arguments: ["", "w", "w/", "/a", "9/a"])
    func textOfNoKey(_ text: String) {
        #expect(EntityKey(text: text) == nil)
    }
}
