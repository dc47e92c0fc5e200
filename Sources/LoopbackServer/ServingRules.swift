/// How a server serves that is no test's.
package struct ServingRules: Sendable {
    /// Whether it listens on all interfaces, and not on 127.0.0.1 alone.
    package var servesNetwork = false
    /// Whether it keeps the requests that it received.
    package var keepsRequests = true
    /// The number of open connections from which on new ones are closed.
    package var connectionLimit = Int.max
    /// How many of the connections may be of clients that no response trusts; see ``LoopbackResponse/trustsClient``. A
    /// new one takes the place of the oldest of them; `nil` for no limit.
    package var untrustedLimit: Int?
    /// After how many seconds a client is left that has not sent a whole request, however slowly it sends, or does not
    /// read; `nil` for no limit.
    package var patience: Int?
    /// For how many seconds, and up to how many bytes, a client may go on sending after its last response.
    package var drainSeconds = 60
    package var drainBytes = 1 << 30

    package init() {}
}
