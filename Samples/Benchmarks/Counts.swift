import Foundation

#if canImport(CBenchmarks)
    import CBenchmarks
#endif

/// What a call asks of `malloc`, and its code of the Swift runtime. Unlike time, these figures do not vary with the machine.
struct Counts: Codable {
    /// Calls of `malloc` and its kin, and what they asked for.
    var allocations: Double
    var mallocBytes: Double
    /// A call that adds several to a count is one.
    var retains: Double
    var releases: Double
    /// How often a task asked for its executor, and jobs for the threads that all tasks share.
    var switches: Double
    var jobs: Double
    /// What was copied by `memcpy`: wide values, for the most part.
    var copiedBytes: Double

    enum CodingKeys: String, CodingKey {
        case allocations, retains, releases, switches, jobs
        case mallocBytes = "malloc_bytes"
        case copiedBytes = "copied_bytes"
    }

    /// - Parameter work: says how many calls it made.
    /// - Returns: what each call asked for; `nil` where nobody counts.
    static func perCall(_ work: () async throws -> Int) async throws -> Counts? {
        #if canImport(CBenchmarks)
            guard allocation_counter_works() != 0, runtime_counter_works() != 0 else { return nil }
            allocation_counter_start()
            var calls = Double(try await work())
            let malloc = allocation_counter_stop()
            let (allocations, bytes) = (Double(malloc.calls) / calls, Double(malloc.bytes) / calls)
            runtime_counter_start()
            calls = Double(try await work())
            let runtime = runtime_counter_stop()
            return Counts(
                allocations: allocations, mallocBytes: bytes, retains: Double(runtime.retains) / calls,
                releases: Double(runtime.releases) / calls, switches: Double(runtime.switches) / calls,
                jobs: Double(runtime.jobs) / calls, copiedBytes: Double(runtime.copied_bytes) / calls
            )
        #else
            return nil
        #endif
    }

    /// The middle one of each figure.
    static func median(_ all: [Counts]) -> Counts? {
        guard var median = all.first else { return nil }
        let figures: [WritableKeyPath<Counts, Double>] = [
            \.allocations, \.mallocBytes, \.retains, \.releases, \.switches, \.jobs, \.copiedBytes,
        ]
        for figure in figures { median[keyPath: figure] = all.map { $0[keyPath: figure] }.quartiles.median }
        return median
    }
}
