import Foundation

/// What makes a signature good only once: the time, and a text that never comes twice.
///
/// A test gives its own, to know the signature beforehand.
public struct NonceSource: Sendable {
    public var now: @Sendable () -> Date
    public var nonce: @Sendable () -> String

    /// - Parameters:
    ///   - now: default: the system's clock.
    ///   - nonce: default: 128 random bits as hexadecimal digits.
    public init(
        now: @escaping @Sendable () -> Date = { Date() },
        nonce: @escaping @Sendable () -> String = NonceSource.randomNonce
    ) {
        self.now = now
        self.nonce = nonce
    }

    /// Whole seconds since 1970, in decimal.
    /// - Throws: ``InvalidRequest`` where the clock shows no such time.
    public func seconds() throws(InvalidRequest) -> String {
        guard let seconds = Int64(exactly: now().timeIntervalSince1970.rounded(.down)) else {
            throw InvalidRequest("The signature's clock shows no time.")
        }
        return String(seconds)
    }

    /// 32 hexadecimal digits from the system's generator, which is made for secrets.
    public static let randomNonce: @Sendable () -> String = {
        (0..<16).map { _ in
            let byte = UInt8.random(in: 0...255)
            return String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }.joined()
    }
}
