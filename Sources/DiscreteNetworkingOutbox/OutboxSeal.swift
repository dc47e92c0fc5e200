public import Foundation

/// Encrypts the params of entries on disk.
///
/// ```swift
/// OutboxSeal(
///     seal: { try AES.GCM.seal($0, using: key).combined! },
///     open: { try AES.GCM.open(AES.GCM.SealedBox(combined: $0), using: key) })
/// ```
public struct OutboxSeal: Sendable {
    let seal: @Sendable (Data) throws -> Data
    let open: @Sendable (Data) throws -> Data

    /// Creates an encryption.
    /// - Parameters:
    ///   - seal: Returns the encrypted data.
    ///   - open: Returns the data that was encrypted. If it throws, the entry is kept and not sent.
    public init(
        seal: @escaping @Sendable (Data) throws -> Data, open: @escaping @Sendable (Data) throws -> Data
    ) {
        self.seal = seal
        self.open = open
    }
}
