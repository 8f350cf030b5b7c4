import Foundation
@testable import FreshetHTTPClient
import Testing

@Suite("Names of files of authorities")
struct AuthorityFilesTests {
    @Test("A file keeps its name until it changes, and each name leads to it")
    func names() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("authorities-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("ca.pem")
        var files = AuthorityFiles()
        #expect(files.name(of: file.path) == file.path)
        var names: Set<String> = [file.path]
        for change in 1...300 {
            // Another size each time.
            let text = String(repeating: "a", count: change)
            try Data(text.utf8).write(to: file)
            let name = files.name(of: file.path)
            #expect(files.name(of: file.path) == name)
            #expect(try String(contentsOfFile: name, encoding: .utf8) == text)
            names.insert(name)
        }
        #expect(names.count == 256)
        #expect(files.name(of: "ca.pem") == "ca.pem")
    }
}
