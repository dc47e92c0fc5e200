import DiscreteNetworkingCommands
import Foundation

/// The arguments of the program.
struct Options {
    enum Job: Equatable {
        case measure
        case caches
        /// Measures calls that wait for a limit.
        case queue
        /// Measures an outbox.
        case outbox
        /// Builds a small app, and measures that.
        case weight
        /// Makes calls that an inspector shows.
        case inspected
        case help
        /// Serves documents to another process of this program.
        case serve(largeBody: Int)
        /// Measures one row, or one large body, in a process of its own.
        case row([String])
        case large([String])
        /// Measures the start of a process, or is that process and makes one call.
        case start
        case firstCall([String])
    }

    static let help = """
        Usage: Benchmarks [--quick] [--no-pin] [--only WORKLOAD] [--json FILE] [--plot FILE.svg] [--compare FILE]
               Benchmarks --caches [--quick]
               Benchmarks --queue [--quick]
               Benchmarks --outbox [--quick]
               Benchmarks --start [--quick] [--no-pin]
               Benchmarks --weight [--quick | --beside CHECKOUT]
               Benchmarks --inspected

        Measures what a call costs, side by side with URLSession, libcurl in C and JSONDecoder. Use a release build:
        swift run -c release Benchmarks

        Exit status: 0 if all was measured; 1 if not; 64 for wrong options; 65 if the file of --compare has no rows;
        66 if it cannot be read.

          --quick          measure less than 90 seconds, with more noise
          --no-pin         let the system choose the cores of clients and server; otherwise each has one of its own
          --only WORKLOAD  measure one workload:
        \(workloads)
          --json FILE      write the rows to a file too
          --plot FILE.svg  draw the rows as bars too
          --compare FILE   print the rows beside those of a file that --json has written too
          --caches         measure the caches only
          --queue          measure calls that wait for a limit only
          --outbox         measure an outbox only
          --start          measure the time from the start of a process to its first request only
          --weight         build a small app, and print its size, the code of each module, and what the build has cost;
                           with --quick the sizes only, from what was built with this program
          --beside CHECKOUT  build it over another checkout, too
          --inspected      make 1,000 calls a second and print the URL of an inspector; see .ci/inspector-cost
          --help           show this
        """

    /// Lines of four.
    private static var workloads: String {
        let names = Workload.allCases.map(\.rawValue)
        return stride(from: 0, to: names.count, by: 4).map { start in
            String(repeating: " ", count: 19)
                + names[start..<min(start + 4, names.count)].joined(separator: ", ")
        }.joined(separator: ",\n")
    }

    /// What the numbers of a debug build are worth; `nil` for a release build, and where nothing is measured.
    var warning: String? {
        #if DEBUG
            switch job {
            case .measure, .caches, .queue, .outbox, .start:
                return
                    "warning: This is a debug build, which is many times slower; swift run -c release Benchmarks measures."
            case .weight, .inspected, .help, .serve, .row, .large, .firstCall: return nil
            }
        #else
            return nil
        #endif
    }

    var job = Job.measure
    var isQuick = false
    /// Whether clients and server run on a core each.
    var isPinned = true
    var only: Workload?
    var json: URL?
    var plot: URL?
    var compare: URL?
    /// Another checkout of this package.
    var beside: URL?

    /// - Parameter arguments: Those after the name of the program.
    init(_ arguments: [String]) throws(UsageError) {
        var rest = CommandArguments(arguments, help: Self.help)
        while let option = rest.next() {
            switch option {
            case "--help", "-h":
                job = .help
                return
            case "--quick": isQuick = true
            case "--no-pin": isPinned = false
            case "--caches": job = .caches
            case "--queue": job = .queue
            case "--outbox": job = .outbox
            case "--inspected": job = .inspected
            case "--start": job = .start
            case "--weight": job = .weight
            case "--beside": beside = URL(fileURLWithPath: try rest.value())
            case "--json": json = URL(fileURLWithPath: try rest.value())
            case "--plot": plot = URL(fileURLWithPath: try rest.value())
            case "--compare": compare = URL(fileURLWithPath: try rest.value())
            case "--only":
                let name = try rest.value()
                guard let workload = Workload(rawValue: name) else {
                    let known = Workload.allCases.map(\.rawValue)
                    throw UsageError("Unknown workload \(name).\(NearName.hint(name, among: known))")
                }
                only = workload
            case "--serve":
                job = .serve(largeBody: Int(try rest.value()) ?? 0)
            case "--row", "--large", "--first-call":
                let arguments = rest.remaining()
                job =
                    option == "--row"
                    ? .row(arguments) : option == "--large" ? .large(arguments) : .firstCall(arguments)
                return
            default: throw rest.unknown()
            }
        }
    }
}
