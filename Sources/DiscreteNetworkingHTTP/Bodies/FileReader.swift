import Foundation

/// Reads a file in pieces, as they are asked for, so that a file of any size takes the same memory. A disk that
/// stalls holds up nobody else.
package actor FileReader {
    package static let pieceSize = 256 * 1024

    private let url: URL
    private let disk = DiskQueue("FileReader")
    private var handle: FileHandle?

    init(_ url: URL) { self.url = url }

    /// The next piece; `nil` at the end.
    /// - Throws: ``TransferFailure/unreadable(reason:)``.
    func next() async throws -> Data? {
        do {
            let (open, piece) = try await disk.run { [url, handle] in
                let open = try handle ?? FileHandle(forReadingFrom: url)
                return (open, try open.read(upToCount: Self.pieceSize))
            }
            handle = open
            return piece.flatMap { $0.isEmpty ? nil : $0 }
        } catch {
            // Its own text may hold the whole path.
            throw TransferFailure.unreadable(reason: "The file \(url.lastPathComponent) cannot be read.")
        }
    }

    /// The size of a file that can be sent: a regular one that may be read.
    static func length(of url: URL) throws(InvalidRequest) -> Int64 {
        let name = url.lastPathComponent
        guard url.isFileURL else {
            throw InvalidRequest("The body is to come from \(name), which is no file URL.")
        }
        guard let status = FileStatus(path: url.path) else {
            throw InvalidRequest("There is no file \(name) to send.")
        }
        guard status.isRegular else {
            throw InvalidRequest("\(name) is not a regular file; send what it holds as a stream.")
        }
        guard FileManager.default.isReadableFile(atPath: url.path) else {
            throw InvalidRequest("The file \(name) may not be read.")
        }
        return status.size
    }
}
