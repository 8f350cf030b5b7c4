import FreshetBase
import Glibc

/// Keeps the optimiser from dropping a computation whose result nobody uses.
@inline(never)
func keep<Value>(_ value: Value) {}

/// Runs `body` in rounds and prints the best round's time and the allocations of one operation.
///
/// The best of several rounds, because noise on a shared machine only ever adds.
///
/// - Parameters:
///   - operations: How many operations one call of `body` performs.
///   - byCPU: Time is the CPU time of the thread, for long rounds on a machine that others use.
func measure(
    _ name: String, operations: Int, bytes: Int = 0, rounds: Int = 7, byCPU: Bool = false,
    _ body: () -> Void
) {
    body()
    var best = Duration.seconds(1_000_000)
    var allocated = 0
    for _ in 0..<rounds {
        let before = allocationCount
        let start = MonotonicInstant.now
        let startCPU = threadCPU
        body()
        let spent = byCPU ? threadCPU - startCPU : MonotonicInstant.now - start
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

/// What this thread has spent on a CPU so far.
private var threadCPU: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

/// One line of output: name, figure, unit.
func report(_ name: String, _ figure: Double, _ unit: String) {
    let rounded = (figure * 100).rounded() / 100
    let padding = String(repeating: " ", count: max(1, 52 - name.count))
    print("\(name)\(padding)\(rounded) \(unit)")
}
