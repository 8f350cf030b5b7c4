import Glibc

/// Files in which the kernel tells of the machine and the process. Any thread.
package enum KernelFile {
    private static let mostBytes = 65_536

    /// The text of the one at `path`, 64 KiB at most; nil where there is none.
    package static func text(at path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        let bytes = [UInt8](unsafeUninitializedCapacity: mostBytes) { buffer, count in
            count = fread(buffer.baseAddress, 1, buffer.count, file)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
