import Foundation

/// The repository that this file lies in, read as text.
enum SourceTree {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A file as a check sees it: its path from the top level and its text.
    struct File {
        let path: String
        let text: String
    }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
    }

    /// Every file under `folder` with one of the `extensions`; hidden folders are left out, and
    /// Tests/Golden, which holds no text.
    static func files(
        under folder: String, extensions: Set<String> = ["swift"]
    ) throws -> [File] {
        let base = root.appendingPathComponent(folder)
        guard let walk = FileManager.default.enumerator(atPath: base.path) else { return [] }
        var found: [File] = []
        for case let name as String in walk {
            let isHidden = name.split(separator: "/").contains { $0.hasPrefix(".") }
            let path = "\(folder)/\(name)"
            guard !isHidden, !path.hasPrefix("Tests/Golden/"),
                extensions.contains((name as NSString).pathExtension),
                walk.fileAttributes?[.type] as? FileAttributeType == .typeRegular
            else { continue }
            found.append(File(path: path, text: try text(path)))
        }
        return found.sorted { $0.path < $1.path }
    }
}

/// Swift source with the insides of comments and string literals blanked, line by line, so that a
/// check sees code alone. Line numbers stay.
func codeLines(of source: String) -> [String] {
    let bytes = Array(source.utf8)
    var code: [UInt8] = []
    code.reserveCapacity(bytes.count)
    var at = 0
    func starts(_ text: String) -> Bool { bytes[at...].starts(with: text.utf8) }
    func skip(to end: String, escapes: Bool, stopsAtLine: Bool) {
        while at < bytes.count {
            if starts(end) {
                at += end.utf8.count
                return
            }
            if stopsAtLine && bytes[at] == UInt8(ascii: "\n") { return }
            if escapes && bytes[at] == UInt8(ascii: "\\") { at += 1 }
            if at < bytes.count && bytes[at] == UInt8(ascii: "\n") {
                code.append(UInt8(ascii: "\n"))
            }
            at += 1
        }
    }
    while at < bytes.count {
        let byte = bytes[at]
        if byte != UInt8(ascii: "/") && byte != UInt8(ascii: "#") && byte != UInt8(ascii: "\"") {
            code.append(byte)
            at += 1
        } else if starts("//") {
            at = bytes[at...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        } else if starts("/*") {
            at += 2
            skip(to: "*/", escapes: false, stopsAtLine: false)
        } else if starts("#\"\"\"") {
            at += 4
            skip(to: "\"\"\"#", escapes: false, stopsAtLine: false)
        } else if starts("#\"") {
            at += 2
            skip(to: "\"#", escapes: false, stopsAtLine: true)
        } else if starts("\"\"\"") {
            at += 3
            skip(to: "\"\"\"", escapes: true, stopsAtLine: false)
        } else if starts("\"") {
            at += 1
            skip(to: "\"", escapes: true, stopsAtLine: true)
        } else {
            code.append(bytes[at])
            at += 1
        }
    }
    return String(decoding: code, as: UTF8.self)
        .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
}
