import Foundation

/// Sends the requests of one call in place of the proxy's transport, and may outlive the process.
///
/// Only the call's own requests: a refresh of tokens on its behalf is sent by the proxy. The limits, the circuit breaker, the
/// deadline and the caches of the app's own calls do not apply.
package protocol CallCarrier: TimeKeepingTransport {
    /// The request that an earlier process has sent; `nil` if the next request is a new one. The next
    /// ``Transport/send(_:)`` returns its response. Nothing prepares the request again: the source of its body may be
    /// gone.
    var begunRequest: APIRequest? { get }
    /// Whether the call is made again after a failure, so that its manager is not notified.
    func isInterim(_ error: any Error) -> Bool
}
