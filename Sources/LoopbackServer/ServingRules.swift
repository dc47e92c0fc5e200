/// How a server serves that is no test's.
package struct ServingRules: Sendable {
    /// Whether it listens on all interfaces, and not on 127.0.0.1 alone.
    package var servesNetwork = false
    /// Whether it keeps the requests that it received.
    package var keepsRequests = true
    /// The number of open connections from which on new ones are closed.
    package var connectionLimit = Int.max
    /// After how many seconds a client is left that neither sends nor reads; `nil` for no limit.
    package var patience: Int?

    package init() {}
}
