import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The delegate of a `URLSession`, which forwards events to exchanges.
final class URLSessionExchangeRegistry: NSObject, URLSessionDataDelegate, Sendable {
    private let exchanges = Locked<[Int: URLSessionExchange]>([:])
    private let trust: URLSessionTrust?

    init(trust: URLSessionTrust?) { self.trust = trust }

    func add(_ exchange: URLSessionExchange) {
        exchanges.withLock { $0[exchange.task.taskIdentifier] = exchange }
    }

    private func exchange(of task: URLSessionTask) -> URLSessionExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        exchange(of: dataTask)?.receive(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.receive(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        exchange(of: task)?.sent(totalBytesSent, of: totalBytesExpectedToSend)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        exchange(of: task)?.receive(redirect: response) { completionHandler(nil) }
    }

    /// Without a credential, a 401 is the response.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // The default handling never ends such a task. The challenge is received after the whole
            // response, so the exchange is complete; a streamed body has been delivered and cannot be
            // requested again.
            let exchange = exchange(of: task)
            if challenge.proposedCredential == nil || exchange?.isStreaming == true {
                exchange?.complete(nil)
                URLSessionExchange.endings.async { completionHandler(.cancelAuthenticationChallenge, nil) }
                return
            }
            completionHandler(.performDefaultHandling, nil)
        #else
            let exchange = exchange(of: task)
            challenge.handle(
                trust, exchange?.credential, hostName: exchange?.hostName, refuse: { exchange?.giveUp($0) },
                answer: completionHandler)
        #endif
    }

    #if canImport(FoundationNetworking)
        /// Called if the server closed a reused connection after part of the body was sent. The request
        /// would be sent again with only the rest of the body.
        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
        ) {
            exchange(of: task)?.giveUp(
                TransportError(
                    .connectionLost, message: "The server closed the connection before it responded."))
            completionHandler(nil)
        }
    #else
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
        ) {
            exchange(of: task)?.receive(TransportMetrics(metrics))
        }
    #endif

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        exchange?.complete(error)
    }
}
