import FreshetBase
import FreshetEngine
import FreshetJSON
import FreshetQuery
import Glibc
import Testing

@testable import FreshetCore
@testable import FreshetStore

@Suite("Checking what is stored")
struct StoredCheckTests {
    private final class Folder {
        let path: String

        init() {
            var template = Array("/tmp/freshet-check-XXXXXX".utf8CString)
            let made = template.withUnsafeMutableBufferPointer { buffer -> Bool in
                guard let base = buffer.baseAddress else { return false }
                return mkdtemp(base) != nil
            }
            #expect(made)
            path = String(
                decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }

        deinit {
            // What is left of a failed test is the system's to remove.
            for folder in ["/data/aside", "/data"] {
                if let stream = opendir(path + folder) {
                    while let entry = readdir(stream) {
                        let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                            tuple.withMemoryRebound(to: CChar.self, capacity: 256) {
                                String(cString: $0)
                            }
                        }
                        unlink(path + folder + "/" + name)
                    }
                    closedir(stream)
                }
                rmdir(path + folder)
            }
            rmdir(path)
        }
    }

    private func store(
        _ folder: Folder, memory: Set<TypeName> = [], _ entities: [String]
    ) throws -> FileStore {
        var options = FileStoreOptions(directory: folder.path + "/data")
        options.memoryTypes = memory
        options.isStepped = true
        let store = try FileStore.open(options)
        let type = try #require(TypeName("thing"))
        var builder = DocumentBuilder()
        for entity in entities {
            let document = try Array(entity.utf8).withUnsafeBytes {
                try builder.build(json: $0, id: .fromBody)
            }
            store.submit(Transaction(.set(type, document, .none))) { _ in }
        }
        store.runQueue()
        return store
    }

    private func check(
        _ folder: Folder, _ declaration: String, isStrict: Bool = false
    ) throws -> (check: StoredCheck, lines: [String]) {
        let (schema, faults) = try readType(declaration)
        #expect(faults == [])
        var lines: [String] = []
        let stored = try StoreReader.read(directory: folder.path + "/data")
        let check = StoredCheck(stored, types: schema.map { [$0] } ?? [], isStrict: isStrict) {
            lines.append($0)
        }
        return (check, lines)
    }

    @Test("Each fault is a line, beside a server that holds the directory")
    func lines() throws {
        let folder = Folder()
        let store = try store(
            folder, [#"{"id":1,"n":1}"#, #"{"id":2,"n":"x","a/b":true}"#, #"{"id":"z"}"#])
        let (check, lines) = try check(
            folder,
            #"{"identifier":"integer","properties":{"n":{"type":"integer"},"a/b":{"type":"string"}}}"#
        )
        #expect(check.entities == 3 && check.types == 1 && check.unfit == 2)
        #expect(
            lines == [
                "thing 2 /n expected an integer, not a string",
                "thing 2 /a~1b expected a string, not a Boolean",
                "thing z /id expected an integer as the id of this type",
            ])
        store.close()
    }

    @Test("All are counted and the first hundred told")
    func many() throws {
        let folder = Folder()
        try store(folder, (0..<150).map { "{\"id\":\($0)}" }).close()
        let (check, lines) = try check(
            folder, #"{"properties":{"n":{"type":"any","required":true}}}"#)
        #expect(check.unfit == 150)
        #expect(lines.count == 101)
        #expect(lines.last == "thing: 50 more do not fit")
    }

    @Test("A type that moves to memory and back loses nothing, and is told of")
    func memory() throws {
        let folder = Folder()
        let type = try #require(TypeName("thing"))
        try store(folder, [#"{"id":1}"#, #"{"id":2}"#]).close()
        let inMemory = try store(folder, memory: [type], [#"{"id":3}"#])
        #expect(inMemory.recovery.leftInLog == [LeftInLog(type: type, entities: 2)])
        #expect(inMemory.document(type, try EntityID("1")) == nil)
        inMemory.close()
        #expect(try check(folder, #"{"store":"memory"}"#).check.notes.count == 1)
        let back = try store(folder, [])
        #expect(back.recovery.leftInLog == [])
        #expect(back.document(type, try EntityID("1")) != nil)
        #expect(back.document(type, try EntityID("3")) == nil)
        back.close()
    }

    @Test("What no one can reach any more is told of")
    func strict() throws {
        let folder = Folder()
        try store(folder, [#"{"id":1}"#]).close()
        let stored = try StoreReader.read(directory: folder.path + "/data")
        #expect(StoredCheck(stored, types: [], isStrict: true) { _ in }.notes.count == 1)
        #expect(StoredCheck(stored, types: [], isStrict: false) { _ in }.notes == [])
        #expect(throws: StoreError.self) { try StoreReader.read(directory: folder.path) }
    }
}
