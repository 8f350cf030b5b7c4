import FreshetBase
import Glibc

/// Keeps the optimiser from dropping a computation whose result nobody uses.
@inline(never)
func keep<Value>(_ value: Value) {}

/// Runs `body` in rounds and prints the best round's time and the allocations of one operation.
///
/// The best of several rounds, because noise on a shared machine only ever adds.
///
/// - Parameter operations: How many operations one call of `body` performs.
func measure(
    _ name: String, operations: Int, bytes: Int = 0, rounds: Int = 7, _ body: () -> Void
) {
    body()
    var best = Duration.seconds(1_000_000)
    var allocated = 0
    for _ in 0..<rounds {
        let before = allocationCount
        let start = MonotonicInstant.now
        body()
        let spent = MonotonicInstant.now - start
        if spent < best {
            best = spent
            allocated = allocationCount - before
        }
    }
    let nanoseconds = best / .nanoseconds(1)
    let each = nanoseconds / Double(operations)
    report(name, each, "ns")
    report(name + " allocations", Double(allocated) / Double(operations), "each")
    if bytes > 0 { report(name + " throughput", Double(bytes) / nanoseconds, "GB/s") }
}

/// One line of output: name, figure, unit.
func report(_ name: String, _ figure: Double, _ unit: String) {
    let rounded = (figure * 100).rounded() / 100
    let padding = String(repeating: " ", count: max(1, 52 - name.count))
    print("\(name)\(padding)\(rounded) \(unit)")
}

/// The memory of the program that is in use, in bytes.
var residentBytes: Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var text = [CChar](repeating: 0, count: 128)
    guard fgets(&text, 128, file) != nil else { return 0 }
    let numbers = String(decoding: text.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        .split(separator: " ")
    return (numbers.count > 1 ? Int(numbers[1]) ?? 0 : 0) * 4096
}
