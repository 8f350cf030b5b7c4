import Glibc

/// Micro benchmarks: `freshet-bench [json|http|engine|store|disk|queries|live|remote|sources|runs|specs|log] [NDJSON-FILE [ROWS]]`,
/// all groups if none is named; without a file, entities are made up. With a number of rows, the file's
/// entities are cut to about 300 bytes and repeated under new ids, as the peers' benchmark does.
@main
struct Main {
    static func main() {
        var arguments = CommandLine.arguments.dropFirst()
        let groups: [(name: String, run: (Samples) -> Void)] = [
            ("json", benchmarkJSON), ("http", benchmarkHTTP), ("engine", benchmarkEngine),
            ("store", benchmarkStore), ("disk", benchmarkDisk), ("queries", benchmarkQueries),
            ("live", benchmarkLive), ("remote", benchmarkRemote), ("sources", benchmarkSources),
            ("specs", benchmarkSpecs), ("runs", benchmarkOperationStores), ("log", benchmarkLog),
        ]
        var chosen = groups
        if let name = arguments.first, let group = groups.first(where: { $0.name == name }) {
            chosen = [group]
            arguments = arguments.dropFirst()
        }
        let samples: Samples
        if let path = arguments.first {
            guard let read = Samples(path: path) else {
                perror("cannot read \(path) as NDJSON")
                exit(2)
            }
            samples = arguments.dropFirst().first.flatMap { Int($0) }.map(read.repeated) ?? read
        } else {
            samples = Samples(madeUp: 50_000)
        }
        for group in chosen { group.run(samples) }
    }
}
