#if os(Linux)
    import CCurl
    import Foundation

    #if canImport(Musl)
        import Musl
    #endif

    /// The body of a request while libcurl sends it, for the loop's thread only.
    final class CurlUpload {
        enum Piece {
            case bytes(Int)
            /// Nothing yet; `CurlCommand.goOnSending` comes when there is more.
            case later
            case failed(TransportError)
        }

        private enum Source {
            case data(Data)
            case file(Int32)
            case stream(UploadPipe)
        }

        /// Bytes in all; `nil` where that is known only at the end.
        let length: Int64?
        private let source: Source
        private var sent: Int64 = 0

        init(_ data: Data) {
            source = .data(data)
            length = Int64(data.count)
        }

        init(file: URL) throws(TransportError) {
            // A pipe would hold up the whole loop, here already without O_NONBLOCK.
            let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
            guard descriptor >= 0, let status = FileStatus(descriptor: descriptor), status.isRegular else {
                if descriptor >= 0 { Self.close(descriptor) }
                throw TransportError(
                    .bodyUnavailable,
                    message:
                        "The file \(file.lastPathComponent) to be sent cannot be read, or is no regular file."
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

        /// The next bytes; none at the end.
        func read(into room: UnsafeMutableRawBufferPointer) -> Piece {
            let count: Int
            switch source {
            case .data(let data):
                count = min(room.count, data.count - Int(sent))
                let start = data.startIndex + Int(sent)
                data.copyBytes(to: room, from: start..<start + count)
            case .file(let descriptor):
                // A file that grows while it is sent is sent as long as it was.
                let left = Int(min(Int64(room.count), length.map { $0 - sent } ?? 0))
                count = left == 0 ? 0 : pread(descriptor, room.baseAddress, left, off_t(sent))
                if count < 0 {
                    return .failed(
                        TransportError(.bodyUnavailable, message: "The file to be sent cannot be read."))
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
                        message: "The body to be sent has not the \(length) bytes that were announced."))
            }
            return .bytes(count)
        }

        /// Goes back to the first byte, where the body has to be sent again.
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
