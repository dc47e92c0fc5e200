import Foundation

/// The client and the server on a core each: where the scheduler moves them, figures of equal runs differ by half.
enum Pinning {
    enum Part: Int {
        case server, client

        /// The core that this part runs on.
        var core: Int { rawValue }
    }

    /// `taskset` of util-linux; `nil` where there is none, as on a Mac, or one core only.
    private static let tool = ["/usr/bin/taskset", "/bin/taskset"].first {
        FileManager.default.isExecutableFile(atPath: $0) && ProcessInfo.processInfo.activeProcessorCount > 1
    }

    /// What the report says about it.
    static func description(isOn: Bool) -> String {
        guard isOn else { return "Not pinned: the figures of equal runs may differ by half." }
        guard tool != nil else { return "Not pinned, for lack of a second core or of taskset." }
        return "Pinned: the server to core \(Part.server.core), clients to core \(Part.client.core)."
    }

    #if os(macOS) || os(Linux)
        /// Sets what a process executes.
        static func launch(_ process: Process, _ executable: URL?, _ arguments: [String], as part: Part?) {
            guard let part, let tool, let executable else {
                process.executableURL = executable
                process.arguments = arguments
                return
            }
            process.executableURL = URL(fileURLWithPath: tool)
            process.arguments = ["-c", "\(part.core)", executable.path] + arguments
        }
    #endif
}
