#if os(Linux)
    import CCurl
    import Foundation

    #if canImport(Musl)
        import Musl
    #endif

    /// The body of a request while libcurl sends it; used on the loop's thread only.
    final class CurlUpload {
        enum Piece {
            case bytes(Int)
            /// No data yet; `CurlCommand.continueSending` follows when there is.
            case later
            case failed(TransportError)
        }

        private enum Source {
            case data(Data)
            case file(Int32)
            case stream(UploadPipe)
        }

        /// The length in bytes; `nil` if unknown.
        let length: Int64?
        private let source: Source
        private var sent: Int64 = 0

        init(_ data: Data) {
            source = .data(data)
            length = Int64(data.count)
        }

        init(file: URL) throws(TransportError) {
            // O_NONBLOCK: opening a FIFO must not block the loop.
            let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0, let status = FileStatus(descriptor: descriptor), status.isRegular else {
                if descriptor >= 0 { Self.close(descriptor) }
                throw TransportError(
                    .bodyUnavailable,
                    message:
                        "The file \(file.lastPathComponent) to send is unreadable or not a regular file."
                )
            }
            source = .file(descriptor)
            length = status.size
        }

        init(
            length: Int64?, _ make: @escaping @Sendable () -> AsyncThrowingStream<Data, any Error>,
            onMore: @escaping @Sendable () -> Void
        ) {
            source = .stream(UploadPipe(make, onMore: onMore))
            self.length = length
        }

        deinit {
            switch source {
            case .data: break
            case .file(let descriptor): Self.close(descriptor)
            case .stream(let pipe): pipe.stop()
            }
        }

        /// Reads the next bytes; none at the end.
        func read(into room: UnsafeMutableRawBufferPointer) -> Piece {
            let count: Int
            switch source {
            case .data(let data):
                count = min(room.count, data.count - Int(sent))
                let start = data.startIndex + Int(sent)
                data.copyBytes(to: room, from: start..<start + count)
            case .file(let descriptor):
                // A file that grows is sent with its original length.
                let left = Int(min(Int64(room.count), length.map { $0 - sent } ?? 0))
                count = left == 0 ? 0 : pread(descriptor, room.baseAddress, left, off_t(sent))
                if count < 0 {
                    return .failed(
                        TransportError(.bodyUnavailable, message: "The file to send cannot be read."))
                }
            case .stream(let pipe):
                switch pipe.read(into: room) {
                case .later: return .later
                case .failed(let error): return .failed(error)
                case .bytes(let read): count = read
                }
            }
            sent += Int64(count)
            if let length, sent > length || count == 0 && sent < length {
                return .failed(
                    TransportError(
                        .bodyUnavailable,
                        message: "The request body does not have its declared length of \(length) bytes."))
            }
            return .bytes(count)
        }

        /// Rewinds to the start if the body has to be sent again.
        func rewind() {
            sent = 0
            if case .stream(let pipe) = source { pipe.restart() }
        }

        private static func close(_ descriptor: Int32) {
            #if canImport(Musl)
                _ = Musl.close(descriptor)
            #else
                _ = Glibc.close(descriptor)
            #endif
        }
    }
#endif
