import FreshetJSON
import FreshetQuery
import Testing

@Suite struct MemberFinderTests {
    private func document(_ json: String) throws -> Document {
        var builder = DocumentBuilder()
        var json = json
        return try json.withUTF8 {
            try builder.build(json: UnsafeRawBufferPointer($0), id: .fromBody)
        }
    }

    private func text(_ view: JSONView) -> String? {
        view.bytes.isEmpty ? nil : String(decoding: view.bytes, as: UTF8.self)
    }

    @Test func valuesAreFoundInDocumentsOfManyShapes() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed of valuesAreFoundInDocumentsOfManyShapes: \(seed)")
        var random = SeededNumbers(state: seed)
        let names = ["a", "b", "name", "n\\u0001", "tags", "long name", "é", "", "x", "y"]
        let values = [
            "1", "-2.5e3", "null", "true", #""text""#, #""a\"b\\""#, "[1,[2]]", "{}",
            #"{"b":{"c":7},"a":1}"#, #""""#,
        ]
        // More shapes than a finder remembers, and some that only one document has.
        var documents: [Document] = []
        for number in 0..<2_000 {
            var members = [#""id":"e\#(number)""#]
            for name in names where random.next() % 3 == 0 {
                let value = values[Int(random.next() % UInt64(values.count))]
                members.append(#""\#(name)":\#(value)"#)
            }
            if random.next() % 20 == 0 { members.append(#""own\#(number)":1"#) }
            members.swapAt(0, Int(random.next() % UInt64(members.count)))
            documents.append(try document("{" + members.joined(separator: ",") + "}"))
        }
        let paths = names.map { PropertyPath([$0 == "n\\u0001" ? "n\u{1}" : $0]) }
        for path in paths + [PropertyPath(["name", "b", "c"]), PropertyPath(["a", "a"])] {
            let finder = MemberFinder(path)
            var found: [String?] = []
            documents.withUnsafeBufferPointer { all in
                withUnsafeTemporaryAllocation(of: JSONView.self, capacity: 64) { values in
                    for start in stride(from: 0, to: all.count, by: 64) {
                        let run = UnsafeBufferPointer(
                            rebasing: all[start..<min(start + 64, all.count)])
                        guard let first = values.baseAddress else { return }
                        finder.values(in: run, into: first)
                        for index in 0..<run.count { found.append(text(values[index])) }
                    }
                }
            }
            for (index, document) in documents.enumerated() {
                let expected = document.view(at: path).flatMap { text($0) }
                #expect(found[index] == expected)
                #expect(text(finder.value(in: document)) == expected)
            }
        }
    }

    @Test func documentsOfOneShapeKeepNoPlacesOfNames() throws {
        let name = "shape\(UInt64.random(in: .min ... .max))"
        let sizes = try (0..<3).map { number in
            try document(#"{"id":"\#(number)","\#(name)":1,"b":2,"c":3}"#).memorySize
        }
        #expect(sizes[2] == sizes[0] - 2 * 4)
    }

    @Test func aMemberIsReadByItsPlaceWhateverTheShape() throws {
        for _ in 0..<3 {
            let document = try document(#"{"a\"b":[1],"id":"7","last":{"x":null}}"#)
            #expect(document.memberCount == 3)
            let names = (0..<3).map { String(decoding: document.memberName(at: $0), as: UTF8.self) }
            #expect(names == [#"a\"b"#, "id", "last"])
            #expect(
                (0..<3).map { text(document.memberValue(at: $0)) } == [
                    "[1]", #""7""#, #"{"x":null}"#,
                ])
        }
    }
}
