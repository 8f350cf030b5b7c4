package import FreshetBase

/// What is wrong with the URL of a log, in a sentence.
package struct LogAddressFault: Error, Equatable, CustomStringConvertible {
    package let description: String
}

/// The engine of a shared log, as a start looks at it.
package protocol LogEngine: SharedLog {
    /// - Returns: Sentences to warn of.
    /// - Throws: `.refused` where the engine does not keep what a log needs; `.away` or `.unknown` where
    ///   it gives no answer.
    func check() throws(LogTrouble) -> [String]
}

extension EtcdLog: LogEngine {}
extension PostgresLog: LogEngine {}
