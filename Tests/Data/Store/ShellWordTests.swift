import Testing

@testable import FreshetStore

@Suite struct ShellWordTests {
    @Test(arguments: [
        ("/var/lib/freshet", "/var/lib/freshet"), ("./daten-é", "./daten-é"),
        ("my data", "'my data'"), ("it's", "'it'\\''s'"), ("a$b", "'a$b'"), ("", "''"),
    ])
    func aPathIsOneWordOfACommand(_ path: String, _ word: String) {
        #expect(ShellWord.quoted(path) == word)
    }

    @Test func theCommandOfAnErrorCanBeTyped() {
        let error = StoreError.damaged(directory: "my data", [])
        #expect(error.description.contains("`freshet salvage --data 'my data' NEW-DIRECTORY`"))
        #expect(error.description.contains("`freshet verify --data 'my data'`"))
    }
}
