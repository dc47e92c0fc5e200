public import DiscreteNetworkingCore
public import Foundation

/// Provides the timestamp and the nonce of a signature.
///
/// Tests pass their own to get a reproducible signature.
public struct NonceSource: Sendable {
    /// Returns the current time.
    public var now: @Sendable () -> Date
    /// Returns a new nonce.
    public var nonce: @Sendable () -> String

    /// Creates a source.
    /// - Parameters:
    ///   - now: Returns the current time. Default: the system clock.
    ///   - nonce: Returns a new nonce. Default: ``randomNonce``.
    public init(
        now: @escaping @Sendable () -> Date = { Date() },
        nonce: @escaping @Sendable () -> String = NonceSource.randomNonce
    ) {
        self.now = now
        self.nonce = nonce
    }

    /// Returns the whole seconds since 1970, in decimal.
    /// - Throws: <doc:/DiscreteNetworking/InvalidRequestError> if the time is not representable.
    public func seconds() throws(InvalidRequestError) -> String {
        guard let seconds = Int64(exactly: now().timeIntervalSince1970.rounded(.down)) else {
            throw InvalidRequestError(
                "The clock's time cannot be written as seconds since 1970; check NonceSource.now.")
        }
        return String(seconds)
    }

    /// Returns 128 random bits from the system's cryptographic generator, as 32 hexadecimal digits.
    public static let randomNonce: @Sendable () -> String = {
        (0..<16).map { _ in
            let byte = UInt8.random(in: 0...255)
            return String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }
}
