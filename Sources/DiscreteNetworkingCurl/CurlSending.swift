#if os(Linux)
    import Foundation

    /// How often a request was sent, and whether its server has processed it.
    struct CurlSending {
        /// How often it was sent since a part of a response has come, or since the server has refused it.
        private(set) var count = 0
        /// The stream of the request on an HTTP/2 connection.
        var stream: UInt32?
        /// Whether the server has said that it has not processed the request.
        var isRefused = false
        /// Whether a part of a response has come since the request was sent.
        private var isAnswered = false
        /// How often the request was sent without being processed.
        private var refusals = 0

        private static let refusalLimit = 100

        mutating func begin() {
            count += 1
            (stream, isRefused, isAnswered) = (nil, false, false)
        }

        /// Notes that a part of a response has come: with Digest authentication, the request is sent again after it.
        mutating func noteAnswer() { (count, isAnswered) = (0, true) }

        /// Whether the server has said that it does not process the request (RFC 9113 sections 6.8 and 8.7).
        /// - Parameter last: The last stream of the connection that the server processes; `nil` for all.
        func isUnprocessed(after last: UInt32?) -> Bool {
            guard !isAnswered, count > 0 else { return false }
            guard let stream, let last else { return isRefused }
            return isRefused || stream > last
        }

        /// Notes that the request may be sent again, because it was not processed.
        /// - Throws: ``TransportError`` if that has happened too often.
        mutating func refuse() throws(TransportError) {
            refusals += 1
            count = 0
            guard refusals < Self.refusalLimit else {
                throw TransportError(
                    .connectionLost,
                    message:
                        "The server has ended its connections \(refusals) times without processing the request."
                )
            }
        }
    }
#endif
