import Foundation

@testable import DiscreteNetworkingCore

/// A cipher for tests: a nonce, the data exclusively or-ed with it, and a check value. No two are the same.
struct Seal: Sendable {
    struct Broken: Error {}
    var key: UInt8 = 0x5A

    func seal(_ data: Data) -> Data {
        let nonce = Data((0..<8).map { _ in UInt8.random(in: 0...255) })
        return nonce + mixed(data, nonce) + check(data)
    }

    func open(_ data: Data) throws -> Data {
        guard data.count >= 12 else { throw Broken() }
        let plain = mixed(Data(data.dropFirst(8).dropLast(4)), Data(data.prefix(8)))
        guard check(plain) == data.suffix(4) else { throw Broken() }
        return plain
    }

    private func mixed(_ data: Data, _ nonce: Data) -> Data {
        Data(data.enumerated().map { $1 ^ nonce[$0 % 8] ^ key })
    }

    private func check(_ data: Data) -> Data {
        Data(MessageDigest(.sha256, of: data + [key]).bytes.prefix(4))
    }
}

/// Seals both bodies, and counts what it was asked.
final class SealedBodies: BodyTransform {
    let seal: Seal
    let encoded = Locked(0)
    let decoded = Locked(0)

    init(_ seal: Seal = Seal()) { self.seal = seal }

    func encode(_ request: inout APIRequest, for call: APICall) throws {
        encoded.withLock { $0 += 1 }
        request.body = try request.body.map(seal.seal)
        request.headers["Content-Type"] = "application/octet-stream"
    }

    func decode(_ response: inout APIResponse, for call: APICall) throws {
        decoded.withLock { $0 += 1 }
        response.body = try seal.open(response.body)
        response.headers["Content-Type"] = "application/json"
    }
}

/// A transform or a plugin of closures.
struct ClosureTransform: BodyTransform, APIPlugin {
    var onRequest: @Sendable (inout APIRequest) async throws -> Void = { _ in }
    var onResponse: @Sendable (inout APIResponse) async throws -> Void = { _ in }
    var onFailure: @Sendable (FailureContext) async -> (any Sendable)? = { _ in nil }

    func encode(_ request: inout APIRequest, for call: APICall) async throws { try await onRequest(&request) }
    func decode(_ response: inout APIResponse, for call: APICall) async throws {
        try await onResponse(&response)
    }
    func adapt(_ request: inout APIRequest, for call: APICall) async throws {
        try await onRequest(&request)
    }
    func process(_ response: inout APIResponse, for call: APICall) async throws {
        try await onResponse(&response)
    }
    func recover(from failure: FailureContext) async -> (any Sendable)? { await onFailure(failure) }
}

extension Data {
    var utf8Text: String { String(decoding: self, as: UTF8.self) }
}
