import FreshetBase
import Glibc

/// What the kernel knows of this process, as every exporter names it.
enum ProcessFigures {
    static func append(to page: inout MetricsPage) {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let cpu = [usage.ru_utime, usage.ru_stime].reduce(0.0) {
            $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6
        }
        page.metric(
            "process_cpu_seconds_total", .counter,
            "Processor time that the process has used, in the program and for it in the kernel.",
            seconds: cpu)
        if let bytes = ProcessMemory.resident {
            page.metric(
                "process_resident_memory_bytes", .gauge, "Memory of the process that is in RAM.",
                bytes)
        }
        if let open = openDescriptors {
            page.metric(
                "process_open_fds", .gauge, "Descriptors that are open: connections and files.",
                open)
        }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            page.metric(
                "process_max_fds", .gauge, "Descriptors that the process may have open.",
                Int(clamping: limit.rlim_cur))
        }
        if let start = startTime {
            page.metric(
                "process_start_time_seconds", .gauge,
                "When the process was started, in seconds since 1970.", seconds: start)
        }
    }

    private static var openDescriptors: Int? {
        guard let directory = opendir("/proc/self/fd") else { return nil }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        // The two names of directories, and the one that is read.
        return count - 3
    }

    /// The start's time, from the boot and the ticks behind it: field 22 of proc(5)'s stat.
    private static var startTime: Double? {
        let stat = KernelFile.text(at: "/proc/self/stat") ?? ""
        // The program's name stands in parentheses and may have spaces.
        guard let end = stat.lastIndex(of: ")") else { return nil }
        let fields = stat[end...].split(separator: " ")
        guard fields.count > 20, let ticks = Double(fields[20]) else { return nil }
        var sinceBoot = timespec()
        clock_gettime(CLOCK_BOOTTIME, &sinceBoot)
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let age =
            Double(sinceBoot.tv_sec) + Double(sinceBoot.tv_nsec) / 1e9
            - ticks / Double(sysconf(CInt(_SC_CLK_TCK)))
        let start = Double(now.tv_sec) + Double(now.tv_nsec) / 1e9 - age
        return (start * 100).rounded() / 100
    }
}
