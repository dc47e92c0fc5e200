import DiscreteNetworking
import Foundation

/// Wraps the bodies of requests as `{"data": "…"}`, with the body in Base64, and unwraps those of responses.
///
/// This hides nothing. An app that encrypts its bodies does so here, with `AES.GCM` of CryptoKit or another library.
struct WrappedBodies: BodyTransform {
    struct NotWrapped: Error {}

    static func wrap(_ data: Data) -> Data {
        JSONValue.object(["data": .string(data.base64EncodedString())]).canonicalData
    }

    static func unwrap(_ data: Data) throws -> Data {
        guard let text = try JSONValue(parsing: data)["data"]?.string, let body = Data(base64Encoded: text)
        else { throw NotWrapped() }
        return body
    }

    func encode(_ request: inout APIRequest, for call: APICall) throws {
        request.body = try request.body.map(Self.wrap)
    }

    func decode(_ response: inout APIResponse, for call: APICall) throws {
        response.body = try Self.unwrap(response.body)
    }
}
