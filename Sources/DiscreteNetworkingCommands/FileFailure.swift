package import Foundation

/// A file that a command cannot use, with the reason and what to do.
package struct FileFailure: Error, Equatable, CustomStringConvertible {
    /// The exit status: `EX_NOINPUT` (66) or `EX_DATAERR` (65) of sysexits.h.
    package let status: Int32
    /// One or two sentences.
    package let message: String
    package var description: String { message }

    /// A file that does not exist or cannot be read.
    package static func unreadable(_ file: URL, _ error: any Error) -> FileFailure {
        FileFailure(status: 66, message: "\(file.path) cannot be read: \(reason(error))")
    }

    /// A file or folder without what the command needs.
    /// - Parameter advice: A sentence that says which file to give.
    package static func missing(_ what: String, in file: URL, _ advice: String) -> FileFailure {
        FileFailure(status: 66, message: "\(file.path) has no \(what). \(advice)")
    }

    /// A file that does not have the expected format.
    /// - Parameter format: What the command reads, such as "an HTTP Archive".
    /// - Parameter advice: A sentence that says how to get such a file.
    package static func wrongFormat(_ file: URL, _ format: String, _ advice: String) -> FileFailure {
        FileFailure(status: 65, message: "\(file.path) is not \(format). \(advice)")
    }

    /// What a command writes to standard error.
    package var report: String { "error: \(message)" }

    private static func reason(_ error: any Error) -> String {
        switch (error as? CocoaError)?.code {
        case .fileReadNoSuchFile, .fileNoSuchFile: "There is no such file. Correct the path."
        case .fileReadNoPermission: "Its permissions do not allow it. Change them, or give another file."
        default: error.localizedDescription
        }
    }
}
