import FreshetBase
import FreshetQuery
import Glibc
import Testing

@testable import FreshetStore

/// FRESHET damaged or lost: said as what it is, with what helps, and made whole again.
@Suite struct IdentityTests {
    private func flip(_ files: SimulatedFileSystem, at place: Int) throws {
        var bytes = try #require(files.content(of: "FRESHET"))
        bytes[place] ^= 4
        files.replace("FRESHET", with: bytes)
    }

    @Test(
        "A damaged half of FRESHET is reported by verify, and the next snapshot makes it whole",
        arguments: [(2_047, 0), (2_048, 2_048)])
    func half(_ place: Int, _ offset: Int) throws {
        let made = try Lived()
        let contents = made.store.contents
        made.store.close()
        try flip(made.files, at: place)
        let report = try StoreVerifier.verify(directory: "data", files: made.files)
        #expect(report.damages == [])
        #expect(report.outvoted.map(\.file) == ["FRESHET"])
        #expect(report.outvoted.map(\.offset) == [offset])
        let again = try Simulated.open(made.files)
        #expect(again.contents == contents)
        _ = try again.compact()
        again.close()
        #expect(try StoreVerifier.verify(directory: "data", files: made.files).isIntact)
    }

    @Test("A data directory that has lost FRESHET is damaged, not another's; salvage reads it")
    func lost() throws {
        let made = try Lived()
        let contents = made.store.contents
        made.store.close()
        made.files.delete("FRESHET")
        let names = made.files.names()
        let expected = StoreError.damaged(
            directory: "data",
            [LogDamage(file: "FRESHET", offset: 0, lost: nil, finding: "the file is missing")])
        #expect(throws: expected) { _ = try Simulated.open(made.files) }
        #expect(throws: expected) {
            _ = try StoreVerifier.verify(directory: "data", files: made.files)
        }
        #expect(throws: expected) {
            _ = try StoreCheckpoint.make(of: "data", at: "point", files: made.files)
        }
        #expect(made.files.names() == names)
        let report = try StoreSalvager.salvage(
            "data", into: "saved", writerVersion: "test", files: made.files)
        #expect(report.entities == contents.count)
        #expect(try made.files.contents(at: "saved") == contents)
    }

    @Test("What an unfinished creation or restore has left is no damaged store")
    func unfinished() throws {
        let files = SimulatedFileSystem(seed: 1)
        try Simulated.open(files).close()
        files.delete("FRESHET")
        for name in files.names() where Manifest.number(ofName: name) != nil { files.delete(name) }
        // As it was born: a header and an epoch.
        let log = LogFormat.segmentName(1)
        let born = LogFormat.segmentHeaderLength + LogFormat.frameHeaderLength + 16
        files.replace(log, with: Array(try #require(files.content(of: log)).prefix(born)))
        #expect(throws: StoreError.notAStore(directory: "data")) {
            _ = try StoreVerifier.verify(directory: "data", files: files)
        }
        try Simulated.open(files).close()
        #expect(try StoreVerifier.verify(directory: "data", files: files).isIntact)

        let directory = TemporaryDirectory()
        let data = directory.path + "/data"
        _ = try make(data)
        #expect(unlink("\(data)/FRESHET") == 0)
        try touch("\(data)/\(StoreBuilder.markerName)")
        #expect(throws: StoreError.notAStore(directory: data)) {
            _ = try FileStore.open(FileStoreOptions(directory: data))
        }
    }

    @Test("A second damaged file of a name does not replace the first one in aside/")
    func aside() throws {
        let directory = TemporaryDirectory()
        let data = directory.path + "/data"
        _ = try make(data)
        let store = try FileStore.open(
            FileStoreOptions(directory: data), log: Log(level: .error, descriptor: -1))
        let name = SnapshotFormat.name(try store.compact().seq)
        for _ in 0..<3 {
            let file = try #require(Optional(open("\(data)/\(name)", O_RDWR)))
            var byte: UInt8 = 0
            #expect(pread(file, &byte, 1, 200) == 1)
            byte ^= 1
            #expect(pwrite(file, &byte, 1, 200) == 1)
            close(file)
            #expect(store.scrub().damages.map(\.file) == [name])
        }
        store.close()
        for kept in [name, "\(name).2", "\(name).3"] {
            #expect(access("\(data)/aside/\(kept)", F_OK) == 0)
        }
        #expect(try StoreVerifier.verify(directory: data).isIntact)
    }

    private func make(_ directory: String) throws -> [String: String] {
        let store = try FileStore.open(
            FileStoreOptions(directory: directory), log: Log(level: .error, descriptor: -1))
        defer { store.close() }
        #expect(store.submitted(try Make.set("t", #"{"id":1}"#)).name == "changed")
        _ = try store.compact()
        #expect(store.submitted(try Make.set("t", #"{"id":2}"#)).name == "changed")
        return store.contents
    }

    private func touch(_ path: String) throws {
        close(try #require(Optional(open(path, O_CREAT | O_WRONLY, 0o600))))
    }

    @Test("Files with names that no store reaches are not the store's, and stop nobody")
    func names() throws {
        let directory = TemporaryDirectory()
        let data = directory.path + "/data"
        let contents = try make(data)
        for name in [
            "MANIFEST-9223372036854775807", "snap-18446744073709551615.fs",
            "log-18446744073709551615.fl",
        ] { try touch("\(data)/\(name)") }
        let report = try StoreSalvager.salvage(
            data, into: directory.path + "/saved", writerVersion: "test")
        #expect(report.seq == 2 && report.entities == 2 && report.losses.ranges.isEmpty)
        let again = try FileStore.open(
            FileStoreOptions(directory: data), log: Log(level: .error, descriptor: -1))
        #expect(again.contents == contents)
        _ = try again.compact()
        again.close()
        #expect(try StoreVerifier.verify(directory: data).isIntact)
    }

    @Test("A salvage passes over what is no regular file, and believes no snapshot's name alone")
    func strangers() throws {
        let directory = TemporaryDirectory()
        let data = directory.path + "/data"
        let contents = try make(data)
        for name in ["MANIFEST-000099", "snap-0000000000000077.fs", "log-0000000000000088.fl"] {
            #expect(mkdir("\(data)/\(name)", 0o700) == 0)
        }
        try touch("\(data)/snap-0000000000009999.fs")
        #expect(rename("\(data)/FRESHET", "\(directory.path)/FRESHET") == 0)
        #expect(symlink("\(directory.path)/FRESHET", "\(data)/FRESHET") == 0)
        let saved = directory.path + "/saved"
        let report = try StoreSalvager.salvage(data, into: saved, writerVersion: "test")
        #expect(report.seq == 2 && report.entities == 2)
        // The three directories and the empty snapshot.
        #expect(report.losses.ranges.count == 4, "\(report.losses.ranges)")
        let again = try FileStore.open(
            FileStoreOptions(directory: saved), log: Log(level: .error, descriptor: -1))
        #expect(again.contents == contents)
        again.close()
    }

    @Test("A directory in the place of a file that holds data is damage; a snapshot's is outvoted")
    func otherThanFiles() throws {
        let directory = TemporaryDirectory()
        let data = directory.path + "/data"
        let contents = try make(data)
        let files = POSIXFileSystem()
        let handle = try files.openDirectory(path: data, creating: false)
        defer { files.close(handle) }
        let names = try files.list(handle)
        let segment = try #require(names.filter { $0.hasPrefix("log-") }.max())
        let manifest = try #require(names.filter { $0.hasPrefix("MANIFEST-") }.max())
        let snapshot = try #require(names.filter { $0.hasPrefix("snap-") }.max())
        func opened() throws -> FileStore {
            try FileStore.open(
                FileStoreOptions(directory: data), log: Log(level: .error, descriptor: -1))
        }
        for name in ["FRESHET", segment, manifest] {
            #expect(rename("\(data)/\(name)", "\(directory.path)/kept") == 0)
            #expect(mkdir("\(data)/\(name)", 0o700) == 0)
            do {
                try opened().close()
                Issue.record("it opens with a directory as \(name)")
            } catch StoreError.damaged(_, let damages) {
                #expect(damages.map(\.file) == [name])
            }
            #expect(rmdir("\(data)/\(name)") == 0)
            #expect(rename("\(directory.path)/kept", "\(data)/\(name)") == 0)
        }
        #expect(unlink("\(data)/\(snapshot)") == 0)
        #expect(mkdir("\(data)/\(snapshot)", 0o700) == 0)
        let store = try opened()
        #expect(store.recovery.fallback.map(\.file) == [snapshot])
        #expect(store.contents == contents)
        store.close()
    }
}
