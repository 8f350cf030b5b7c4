import Glibc

/// PostgreSQL in processes of its own: a primary, and a standby that it waits for. Its calls block.
package final class PostgresServer: Sendable {
    /// Where the programs are; nil: none are installed (`apt-get install postgresql`).
    package static let programs: String? = {
        let places = (9...30).reversed().map { "/usr/lib/postgresql/\($0)/bin/postgres" }
        let found = [Program.place(of: "postgres")].compactMap(\.self) + places
        return found.map { String($0.dropLast("/postgres".count)) }.first { folder in
            ["initdb", "pg_basebackup"].allSatisfy { access("\(folder)/\($0)", X_OK) == 0 }
        }
    }()

    private static let user = "postgres"
    private let folder: SweptFolder
    private let primary: LeashedProgram
    private let standby: LeashedProgram?
    private let port: UInt16

    /// The database of each test; user and role are the same.
    package var url: String { "postgres://\(Self.user)@127.0.0.1:\(port)/postgres" }

    /// Starts both, and waits until they serve.
    package init(hasStandby: Bool) throws {
        guard let programs = Self.programs else {
            throw Program.Failure(description: "PostgreSQL is missing; .ci/run installs it")
        }
        folder = try SweptFolder("postgres")
        port = ServerPort.free()
        // It refuses to run as root.
        let isRoot = geteuid() == 0
        let before =
            isRoot
            ? ["setpriv", "--reuid=\(Self.user)", "--regid=\(Self.user)", "--clear-groups"] : []
        if isRoot { try Program.run(["chown", Self.user, folder.path]) }
        let main = "\(folder.path)/primary"
        try Program.run(
            before + [
                "\(programs)/initdb", "-D", main, "-U", Self.user, "-A", "trust", "--no-sync",
                "-E", "UTF8",
            ])
        func words(_ directory: String, _ port: UInt16, _ more: [String]) -> [String] {
            let options =
                [
                    "listen_addresses=127.0.0.1", "port=\(port)", "unix_socket_directories=",
                    "fsync=off", "wal_level=replica", "max_wal_senders=4", "hot_standby=on",
                ] + more
            return before + ["\(programs)/postgres", "-D", directory]
                + options.flatMap { ["-c", $0] }
        }
        let names = hasStandby ? ["synchronous_standby_names=*"] : []
        primary = try LeashedProgram(words(main, port, names))
        try primary.awaitLine("ready to accept connections")
        guard hasStandby else {
            standby = nil
            return
        }
        let second = "\(folder.path)/standby"
        do {
            try Program.run(
                before + [
                    "\(programs)/pg_basebackup", "-D", second, "-R", "--no-sync", "-c", "fast",
                    "-h", "127.0.0.1", "-p", "\(port)", "-U", Self.user,
                ])
            let standby = try LeashedProgram(words(second, ServerPort.free(), []))
            self.standby = standby
            try standby.awaitLine("started streaming WAL")
        } catch {
            primary.kill()
            throw error
        }
    }

    deinit {
        for server in [standby, primary].compactMap(\.self) {
            server.freeze(false)
            server.kill()
        }
        folder.remove()
    }

    /// Stops a server where it is, or has it go on.
    package func freezePrimary(_ isFrozen: Bool) { primary.freeze(isFrozen) }
    package func freezeStandby(_ isFrozen: Bool) { standby?.freeze(isFrozen) }
}
