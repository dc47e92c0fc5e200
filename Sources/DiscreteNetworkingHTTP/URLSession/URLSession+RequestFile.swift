import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLSession {
    /// A task for a request and the file that its body is in, if any.
    func task(for request: URLRequest, from file: RequestFile?) -> URLSessionTask {
        guard let file else { return dataTask(with: request) }
        #if canImport(FoundationNetworking)
            // `uploadTask(with:fromFile:)` stops the process on Linux where a task ends while it reads.
            var request = request
            request.httpBodyStream = RequestFileStream(file)
            request.setValue("\(file.length)", forHTTPHeaderField: "Content-Length")
            // A header of nothing but a space is not sent, and keeps libcurl from sending chunks.
            request.setValue(" ", forHTTPHeaderField: "Transfer-Encoding")
            return dataTask(with: request)
        #else
            return uploadTask(with: request, fromFile: file.url.resolvingSymlinksInPath())
        #endif
    }
}

#if canImport(FoundationNetworking)
    /// A file as `URLSession` on Linux reads it, piece by piece, on its own queue.
    private final class RequestFileStream: InputStream {
        private let file: RequestFile
        private var handle: FileHandle?
        private var left: Int64

        init(_ file: RequestFile) {
            self.file = file
            left = file.length
            super.init(data: Data())
        }

        override func open() { handle = try? FileHandle(forReadingFrom: file.url) }

        override func close() { handle = nil }

        override var hasBytesAvailable: Bool { left > 0 }

        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
            let count = Int(min(Int64(maxLength), left))
            guard let data = try? handle?.read(upToCount: count), !data.isEmpty else {
                // The server waits for what was announced, so the exchange has to end here.
                file.endedEarly()
                return -1
            }
            data.copyBytes(to: buffer, count: data.count)
            left -= Int64(data.count)
            if left == 0 { close() }
            return data.count
        }
    }
#endif
