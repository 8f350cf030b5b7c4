import Foundation
import Testing

/// The files that browsers load, read as text.
enum BrowserFileRules {
    static let folder = "Sources/Policy/Server/Browser"
    /// Bytes of the sources together; what the contract bounds is what is sent.
    static let mostBytes = 420 << 10
    static let mostLines = 400
    /// Bytes of all files together as they are sent, compressed (console.md section 1).
    static let mostBytesSent = 150 << 10
    /// The same of what the page of types loads, which most open first.
    static let mostBytesSentOfTypes = 90 << 10

    /// Ways to make code or markup of data, and styles that the policy refuses.
    static let forbidden = [
        "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function",
        "setAttribute('style'", "javascript:",
    ]
    static let namespace = "http://www.w3.org/2000/svg"

    static func faults(in file: SourceTree.File) -> [String] {
        var faults = forbidden.filter { file.text.contains($0) }.map { "\(file.path) has \($0)" }
        let count = file.text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
        if file.path.hasSuffix(".js"), count > mostLines {
            faults.append("\(file.path) has \(count) lines")
        }
        let addresses = file.text.matches(of: /https?:\/\/[^\s'"`]+/).map { "\($0.output)" }
        let isAllowed = file.path.hasSuffix("/dom.js") && addresses == [namespace]
        if !addresses.isEmpty, !isAllowed { faults.append("\(file.path) has \(addresses)") }
        return faults
    }

    /// How many bytes of each address are sent compressed, by the literals of BrowserFiles.swift; the
    /// shell is none of them.
    static func sent(_ written: String) -> [String: Int] {
        let found = written.matches(of: /at: "([^"]+)"[^\n]*\n *packed: "([A-Za-z0-9+\/]+)(=*)",/)
        return Dictionary(
            uniqueKeysWithValues: found.map {
                let (_, address, digits, padding) = $0.output
                return (String(address), (digits.count + padding.count) / 4 * 3 - padding.count)
            })
    }

    /// The addresses that a file loads before it shows anything.
    static func loaded(by file: SourceTree.File, at address: String) -> [String] {
        let named = file.text.matches(of: /(?:from|import) '(\.[^']*)'/).map { "\($0.output.1)" }
        let linked = file.text.matches(of: /(?:href|src)="(\/[^"]*\.(?:js|css|svg))"/)
        let base = URL(string: "http://localhost" + address)
        return named.compactMap { URL(string: $0, relativeTo: base)?.path }
            + linked.map { "\($0.output.1)" }
    }
}

@Suite("Browser files")
struct BrowserFileTests {
    /// The files by their addresses; types are for editors, and the documentation's style is its own.
    private func files() throws -> [String: SourceTree.File] {
        let all = try SourceTree.files(
            under: BrowserFileRules.folder, extensions: ["js", "css", "svg", "html"])
        return Dictionary(
            uniqueKeysWithValues: all.filter { !$0.path.hasSuffix("/docs.css") }.map {
                let name = $0.path.dropFirst(BrowserFileRules.folder.count)
                return (name == "/index.html" ? "/" : String(name), $0)
            })
    }

    /// Bytes of each address as they are sent; the shell goes as it is written.
    private func sent(_ files: [String: SourceTree.File]) throws -> [String: Int] {
        let written = try #require(
            try SourceTree.files(under: "Sources/Policy/Server", extensions: ["swift"])
                .first { $0.path.hasSuffix("/BrowserFiles.swift") })
        var sent = BrowserFileRules.sent(written.text)
        sent["/"] = files["/"]?.text.utf8.count
        return sent
    }

    @Test("They are small enough together, and each module can be read at once")
    func sizes() throws {
        let files = try files()
        let sent = try sent(files)
        for address in files.keys { #expect(sent[address] != nil, "\(address) is not compressed") }
        let all = files.keys.compactMap { sent[$0] }.reduce(0, +)
        #expect(all <= BrowserFileRules.mostBytesSent)
        #expect(files.count > 10)
        let bytes = files.values.map(\.text.utf8.count).reduce(0, +)
        #expect(bytes <= BrowserFileRules.mostBytes)
        for file in files.values where !file.path.hasSuffix(".svg") {
            #expect(BrowserFileRules.faults(in: file) == [])
        }
    }

    @Test("Whatever a file loads is there, and the page of types loads little")
    func loads() throws {
        let files = try files()
        for (address, file) in files {
            for other in BrowserFileRules.loaded(by: file, at: address) {
                #expect(files[other] != nil, "\(address) loads \(other)")
            }
        }
        var loaded: Set<String> = []
        var next = ["/", "/console/main.js", "/console/types.js"]
        while let address = next.popLast() {
            guard loaded.insert(address).inserted, let file = files[address] else { continue }
            next += BrowserFileRules.loaded(by: file, at: address)
        }
        #expect(loaded.count > 5)
        let sent = try sent(files)
        let bytes = loaded.compactMap { sent[$0] }.reduce(0, +)
        #expect(bytes <= BrowserFileRules.mostBytesSentOfTypes)
    }

    @Test("A bad file is found")
    func badSample() {
        let file = SourceTree.File(
            path: "a/b.js", text: "node.innerHTML = 'https://x.example/'\n")
        #expect(BrowserFileRules.faults(in: file).count == 2)
        let long = SourceTree.File(path: "b.js", text: String(repeating: "\n", count: 401))
        #expect(BrowserFileRules.faults(in: long) == ["b.js has 401 lines"])
        let loading = SourceTree.File(
            path: "c.js", text: "import { a } from '../json.js';\nimport { b } from './dom.js';")
        #expect(
            BrowserFileRules.loaded(by: loading, at: "/console/c.js")
                == ["/json.js", "/console/dom.js"])
        let written = ##"""
            BrowserFile(
                at: "/a.js", .script, tag: "\"7\"",
                packed: "QUJDRA==",
                text: #"""a"""#)
            """##
        #expect(BrowserFileRules.sent(written) == ["/a.js": 4])
    }
}
