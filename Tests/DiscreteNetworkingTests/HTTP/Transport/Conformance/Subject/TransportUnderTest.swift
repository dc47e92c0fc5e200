import Foundation

@testable import DiscreteNetworkingCore

/// A transport that the conformance suite runs over.
struct TransportUnderTest: Sendable {
    /// What a case may ask for when it makes a transport.
    struct Options: Sendable {
        var tls = TLSPolicy()
        /// Seconds without a byte before the exchange fails.
        var idleTimeout: TimeInterval?
    }

    let make: @Sendable (Options) throws -> any Transport
    /// The cases that it cannot pass.
    let shortcomings: [Shortcoming]
    /// The number of connections to a host, if bodies and streams are received one after the other.
    var connectionCount = 1
}

/// A case that a transport is known not to pass.
///
/// It is run all the same, in a process of its own, and must end just so; once it passes it has to come
/// off the list.
struct Shortcoming: Sendable {
    enum Outcome: String, Sendable {
        case fails
        case hangs
        case killsTheProcess = "kills the process"
        /// In one run it passes, in the next it does not: any end will do.
        case isUnreliable = "is unreliable"
    }

    /// The name of the test method.
    let test: String
    let outcome: Outcome
    let reason: String

    init(_ test: String, _ reason: String) { self.init(test, .fails, reason) }

    init(_ test: String, _ outcome: Outcome, _ reason: String) {
        self.test = test
        self.outcome = outcome
        self.reason = reason
    }
}
