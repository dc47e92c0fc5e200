import Foundation

#if !canImport(FoundationNetworking)
    extension TransportMetrics {
        /// The times of the last exchange of a task, which an answered challenge may have preceded.
        init(_ metrics: URLSessionTaskMetrics) {
            self.init()
            guard let exchange = metrics.transactionMetrics.last else { return }
            func seconds(to date: Date?) -> TimeInterval? {
                date?.timeIntervalSince(metrics.taskInterval.start)
            }
            nameLookup = seconds(to: exchange.domainLookupEndDate)
            // The end of connecting counts TLS in.
            connect = seconds(to: exchange.secureConnectionStartDate ?? exchange.connectEndDate)
            secureConnection = seconds(to: exchange.secureConnectionEndDate)
            firstByte = seconds(to: exchange.responseStartDate)
            end = seconds(to: exchange.responseEndDate)
            bytesSent = exchange.countOfRequestHeaderBytesSent + exchange.countOfRequestBodyBytesSent
            bytesReceived =
                exchange.countOfResponseHeaderBytesReceived + exchange.countOfResponseBodyBytesReceived
            reusedConnection = exchange.isReusedConnection
            protocolVersion = exchange.networkProtocolName.map(Self.version)
        }

        /// A version as HTTP writes it, of a name as ALPN has it (RFC 7301).
        private static func version(_ name: String) -> String {
            switch name {
            case "h2": "HTTP/2"
            case "h3": "HTTP/3"
            default: name.uppercased()
            }
        }
    }
#endif
