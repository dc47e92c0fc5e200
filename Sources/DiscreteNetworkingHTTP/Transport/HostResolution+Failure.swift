public import Foundation

extension HostResolution {
    /// A failure of a resolver. The system resolves the host then, or addresses that were cached are used.
    public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// Why the resolver's result is not used.
        #if hasAttribute(nonexhaustive)
            @nonexhaustive(warn)
        #endif
        public enum Reason: Sendable, Hashable {
            /// The resolver threw an error of this type. Its text may contain a secret.
            case failed(String)
            /// The resolver did not respond within so many seconds.
            case timedOut(TimeInterval)
            /// The resolver returned no valid address.
            case noAddress
            /// A text of the result is not the address of a server. The other addresses are used.
            case invalidAddress(String)
            /// The host in `hosts` is not a name in Punycode, so that the resolver is never asked for it.
            case invalidHost
        }

        /// The host in lowercase.
        public let host: String
        /// What was wrong.
        public let reason: Reason

        /// What happened and what to do about it, for developers.
        public var description: String {
            switch reason {
            case .failed(let type):
                "The resolver threw \(type) for \(host); cached addresses are used, or the system resolves the host."
            case .timedOut(let seconds):
                "The resolver did not respond for \(host) within \(seconds) s; cached addresses are used, or the system resolves the host."
            case .noAddress:
                "The resolver has no valid address for \(host); cached addresses are used, or the system resolves the host."
            case .invalidAddress(let text):
                "The resolver returned \(text.debugDescription) for \(host), which is not an address of a server."
            case .invalidHost:
                "The resolver is never asked for \(host.debugDescription): write a name, without a port and in Punycode."
            }
        }
    }
}
