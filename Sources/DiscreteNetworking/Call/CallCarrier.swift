import Foundation

/// Sends the requests of one call in place of the proxy's transport, and may outlive the process.
///
/// Only the call's own requests: a refresh of tokens on its behalf is sent by the proxy. The limits, the circuit breaker, the
/// deadline and the caches of the app's own calls do not apply.
package protocol CallCarrier: TimeKeepingTransport {
    /// The request that an earlier process has sent, and whose response the next ``Transport/send(_:)`` returns; `nil` if the
    /// next request is a new one. Nothing prepares it again: what its body was made of may be gone.
    var begunRequest: APIRequest? { get }
    /// Whether the call is made again after a failure, so that its manager is not notified.
    func isInterim(_ error: any Error) -> Bool
}
