import Foundation

/// What a piece of work cost this process.
struct Cost {
    /// Seconds of CPU, user and system, over all threads.
    var cpu: Double
    /// Seconds on the wall.
    var wall: Double

    nonisolated(nonsending) static func of(
        _ work: nonisolated(nonsending) () async throws -> Void
    ) async throws -> Cost {
        let (cpu, wall) = (cpuTime(), wallTime())
        try await work()
        return Cost(cpu: cpuTime() - cpu, wall: wallTime() - wall)
    }

    private static func cpuTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func wallTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

extension [Double] {
    /// The middle value, and those a quarter of the way from either end.
    var quartiles: (low: Double, median: Double, high: Double) {
        let sorted = sorted()
        return (sorted[count / 4], sorted[count / 2], sorted[count * 3 / 4])
    }
}

/// The memory of this process now, in bytes.
func residentBytes() -> Int {
    guard let status = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8),
        let pages = status.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { return 0 }
    return pages * 4096
}

/// The most memory this process has had. On Linux `getrusage` would count its parent's too.
func peakResidentKilobytes() -> Int {
    #if canImport(Darwin)
        var usage = rusage()
        getrusage(RUSAGE_SELF, &usage)
        return usage.ru_maxrss / 1024
    #else
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
    #endif
}

extension Double {
    func text(_ digits: Int) -> String { String(format: "%.\(digits)f", self) }
}
