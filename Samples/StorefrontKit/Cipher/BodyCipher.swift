import DiscreteNetworking
import Foundation

#if canImport(CryptoKit)
    import CryptoKit
#endif

/// An authenticated cipher for whole bodies.
protocol BodyCipher: Sendable {
    /// Returns a nonce, the encrypted data and a tag, in this order.
    func seal(_ plain: Data) throws -> Data
    /// Returns the data.
    /// - Throws: An error if it was not sealed with the same key, or was changed since.
    func open(_ sealed: Data) throws -> Data
}

/// AES-256-GCM, with a random nonce of 96 bits (NIST SP 800-38D section 8.2.2).
struct AESBodyCipher: BodyCipher {
    let key: SigningKey

    #if canImport(CryptoKit)
        func seal(_ plain: Data) throws -> Data {
            // A nonce of the standard length always has a combined representation.
            try AES.GCM.seal(plain, using: SymmetricKey(data: key.data)).combined!
        }

        func open(_ sealed: Data) throws -> Data {
            try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: SymmetricKey(data: key.data))
        }
    #else
        func seal(_ plain: Data) throws -> Data {
            let nonce = (0..<AESGCM.nonceSize).map { _ in UInt8.random(in: .min ... .max) }
            return Data(nonce + AESGCM(key: Array(key.data)).seal(Array(plain), nonce: nonce))
        }

        func open(_ sealed: Data) throws -> Data {
            let nonce = Array(sealed.prefix(AESGCM.nonceSize))
            return Data(
                try AESGCM(key: Array(key.data)).open(Array(sealed.dropFirst(AESGCM.nonceSize)), nonce: nonce)
            )
        }
    #endif
}

/// Encrypts the bodies of requests, and decrypts those of responses.
struct SealedBodies: BodyTransform {
    let cipher: any BodyCipher

    func encode(_ request: inout APIRequest, for call: APICall) throws {
        request.body = try request.body.map(cipher.seal)
        request.headers["Content-Type"] = "application/octet-stream"
    }

    func decode(_ response: inout APIResponse, for call: APICall) throws {
        response.body = try cipher.open(response.body)
    }
}
