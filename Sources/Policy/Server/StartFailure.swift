/// Why the server could not start: one sentence for the person at the terminal.
package struct StartFailure: Error {
    package let sentence: String
}
