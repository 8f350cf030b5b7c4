import Glibc
import Testing

/// A file with `text` in the folder for temporary files, gone when the value is.
package final class TemporaryFile {
    package let path: String

    package init(_ text: String) throws {
        var template = Array("/tmp/freshet-test-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        try #require(descriptor >= 0)
        let bytes = Array(text.utf8)
        try #require(write(descriptor, bytes, bytes.count) == bytes.count)
        close(descriptor)
        path = template.withUnsafeBufferPointer { buffer in
            String(decoding: buffer.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }

    deinit {
        unlink(path)
    }
}
