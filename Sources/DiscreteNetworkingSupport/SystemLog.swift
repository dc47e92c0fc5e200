import Foundation

#if canImport(os)
    import os
#endif

/// The default output of ``APILogger``.
package enum SystemLog {
    /// Writes a line: to `os.Logger` on Apple platforms, to standard error elsewhere.
    package static func write(_ line: String) {
        #if canImport(os)
            // `notice` is persisted by default; `info` and `debug` are not.
            for piece in pieces(of: line) { logger.notice("\(piece, privacy: .public)") }
        #else
            FileHandle.standardError.write(Data((line + "\n").utf8))
        #endif
    }

    #if canImport(os)
        private static let logger = Logger(subsystem: "DiscreteNetworking", category: "calls")
    #endif

    /// Unified logging truncates messages of more than about 1 KB.
    package static let longestMessage = 1000

    /// Splits a line into messages of a maximum size in UTF-8 bytes, numbered if there is more than one.
    package static func pieces(of line: String, limit: Int = longestMessage) -> [String] {
        guard line.utf8.count > limit else { return [line] }
        let room = limit - "[999/999] ".utf8.count
        var pieces = [""]
        var count = 0
        for scalar in line.unicodeScalars {
            let width = UTF8.width(scalar)
            if count + width > room {
                pieces.append("")
                count = 0
            }
            pieces[pieces.count - 1].unicodeScalars.append(scalar)
            count += width
        }
        return pieces.enumerated().map { "[\($0.offset + 1)/\(pieces.count)] \($0.element)" }
    }
}
