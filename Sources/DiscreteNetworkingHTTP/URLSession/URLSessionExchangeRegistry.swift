import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The delegate of a `URLSession`: passes what it hears on to the exchange it belongs to.
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

    /// Without a credential a 401 is the response.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // The default never ends such a task. The challenge comes when the whole response has been told,
            // so the exchange is complete; what is streamed is with its reader and cannot be asked for anew.
            let exchange = exchange(of: task)
            if challenge.proposedCredential == nil || exchange?.isStreaming == true {
                exchange?.complete(nil)
                URLSessionExchange.endings.async { completionHandler(.cancelAuthenticationChallenge, nil) }
                return
            }
            completionHandler(.performDefaultHandling, nil)
        #else
            let exchange = exchange(of: task)
            let (disposition, credential) = challenge.answer(trust, exchange?.credential) {
                exchange?.giveUp($0)
            }
            completionHandler(disposition, credential)
        #endif
    }

    #if canImport(FoundationNetworking)
        /// Asked where the server closed a kept connection after it had been sent some of the body. The whole
        /// request would go out again, with what is left of the body, and the server would wait for the rest.
        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
        ) {
            exchange(of: task)?.giveUp(
                TransportError(
                    .connectionLost, message: "The server closed the connection before it answered."))
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
