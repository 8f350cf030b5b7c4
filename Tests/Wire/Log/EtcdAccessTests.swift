import FreshetBase
import FreshetTestSupport
import Testing

@testable import FreshetLogDrivers

@Suite(
    "Access to a log on etcd",
    .enabled(if: EtcdCluster.program != nil, "etcd is missing; .ci/run installs it (etcd-server)"))
struct EtcdAccessTests {
    /// Makes a user of the log's own and demands passwords.
    private static func demandPasswords(_ log: EtcdLog) throws {
        func ask(_ path: String, _ text: String) throws {
            _ = try log.nodes.change("/v3/auth/" + path, bytes(text))
        }
        for (name, password) in [("root", "r00t"), ("freshet", "s3cret")] {
            try ask("user/add", #"{"name":"\#(name)","password":"\#(password)"}"#)
            try ask("role/add", #"{"name":"\#(name)"}"#)
            try ask("user/grant", #"{"user":"\#(name)","role":"\#(name)"}"#)
        }
        let from = Base64.encode(log.keys.everything.from)
        let to = Base64.encode(log.keys.everything.to)
        try ask(
            "role/grant",
            #"{"name":"freshet","perm":{"permType":"READWRITE","key":"\#(from)","range_end":"\#(to)"}}"#
        )
        try ask("enable", "{}")
    }

    @Test("User and password are asked for a token, which is renewed where it is not taken")
    func password() async throws {
        try await offPool {
            let cluster = try EtcdCluster()
            var settings = try EtcdLog.Settings(EtcdAddress("etcd://\(cluster.places)/tests/a"))
            let open = try EtcdLog(settings)
            try Self.demandPasswords(open)
            func refusal(_ log: EtcdLog) -> String? {
                if case .refused(let text) = log.trouble(nil, "h0", expecting: nil) {
                    return text
                }
                return nil
            }
            #expect(refusal(open)?.contains("user name is empty") == true)
            settings.user = "freshet"
            settings.password = "wrong"
            #expect(refusal(try EtcdLog(settings))?.contains("authentication failed") == true)
            settings.password = "s3cret"
            let log = try EtcdLog(settings)
            var head = try log.fill(1...2)
            #expect(try log.read(from: 1, limit: 5).count == 2)
            let events = TailEvents()
            let tail = log.tail(from: 1, events.take)
            events.wait(forHead: bytes("h2"))
            // Another prefix is not this user's.
            settings.address = try EtcdAddress("etcd://\(cluster.places)/tests/b")
            #expect(refusal(try EtcdLog(settings))?.contains("permission denied") == true)
            #expect(try log.otherKeys() == 0)
            // A new password takes the tokens away.
            settings.user = "root"
            settings.password = "r00t"
            _ = try EtcdLog(settings).nodes.change(
                "/v3/auth/user/changepw", bytes(#"{"name":"freshet","password":"s3cret"}"#))
            head = try log.append(record(3, "r3"), head: bytes("h3"), expecting: head)
            // And so does a node that starts again.
            cluster.kill(0)
            try cluster.start(0)
            while (try? log.head()) == nil {}
            head = try log.append(record(4, "r4"), head: bytes("h4"), expecting: head)
            #expect(events.wait(forHead: bytes("h4")).records.map(\.seq) == [1, 2, 3, 4])
            tail.cancel()
        }
    }

    @Test("A user where none is demanded is refused")
    func needless() async throws {
        try await offPool {
            let log = try SharedEtcd.log("needless") { $0.user = "freshet" }
            guard case .refused(let text) = log.trouble(nil, "h0", expecting: nil) else {
                Issue.record("not refused")
                return
            }
            #expect(text.contains("authentication is not enabled"), "\(text)")
        }
    }

    /// Keys and certificates, of an authority of its own.
    private static func makeCertificates(_ folder: String) throws {
        func make(_ name: String, _ words: [String]) throws {
            try Program.run(
                [
                    "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=\(name)",
                    "-keyout", "\(name).key", "-out", "\(name).pem",
                ] + words, in: folder)
        }
        let issued = ["-CA", "ca.pem", "-CAkey", "ca.key"]
        let use = "extendedKeyUsage=serverAuth,clientAuth"
        try make("ca", ["-addext", "keyUsage=keyCertSign"])
        try make("other", ["-addext", "keyUsage=keyCertSign"])
        try make("server", issued + ["-addext", "subjectAltName=IP:127.0.0.1", "-addext", use])
        try make("client", issued + ["-addext", use])
    }

    @Test("Over TLS both sides show certificates", .enabled(if: Program.exists("openssl")))
    func tls() async throws {
        try await offPool {
            let folder = try Program.run(["mktemp", "-d"]).split(separator: "\n").joined()
            defer { _ = try? Program.run(["rm", "-r", folder]) }
            try Self.makeCertificates(folder)
            let cluster = try EtcdCluster(
                flags: [
                    "--cert-file", "\(folder)/server.pem", "--key-file", "\(folder)/server.key",
                    "--client-cert-auth", "--trusted-ca-file", "\(folder)/ca.pem",
                ], isSecure: true)
            var settings = try EtcdLog.Settings(EtcdAddress("etcds://\(cluster.places)/tests/a"))
            settings.roots = "\(folder)/ca.pem"
            settings.certificate = "\(folder)/client.pem"
            settings.key = "\(folder)/client.key"
            let log = try EtcdLog(settings)
            try log.fill(1...2)
            let events = TailEvents()
            let tail = log.tail(from: 1, events.take)
            events.wait(forHead: bytes("h2"))
            tail.cancel()

            var bare = settings
            bare.certificate = nil
            bare.key = nil
            let nobody = try EtcdLog(bare)
            #expect(trouble { () throws(LogTrouble) in try nobody.head() } != nil)
            var foreign = settings
            foreign.roots = "\(folder)/other.pem"
            let stranger = try EtcdLog(foreign)
            guard case .away(let text) = stranger.trouble(nil, "h0", expecting: nil) else {
                Issue.record("not away")
                return
            }
            #expect(text.lowercased().contains("certificate"), "\(text)")
        }
    }
}
