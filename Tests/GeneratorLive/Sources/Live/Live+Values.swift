import DiscreteNetworking
import Foundation

/// Programs that print what they have decoded, for `compare.py`.
extension Live {
    private static var names = 0

    /// A call that succeeds. Prints its number and name, a tab, its output encoded again, a tab, and the body that it sends.
    /// - Parameter body: The JSON body that the call has to send, in one line; empty if it is not compared.
    /// - Returns: The decoded output.
    @discardableResult
    public static func show<Output: Encodable>(
        _ name: String, sends body: String = "", _ load: @MainActor () async throws -> Output
    ) async throws -> Output {
        let (name, output) = try await named(name, load)
        print("\(name)\t\(try JSONValue(encoding: output).canonicalText)\t\(body)")
        return output
    }

    /// A call without an output.
    public static func done(_ name: String, _ load: @MainActor () async throws -> Void) async throws {
        print("\(try await named(name, load).name)\t\t")
    }

    private static func named<Output>(
        _ name: String, _ load: @MainActor () async throws -> Output
    ) async throws -> (name: String, output: Output) {
        names += 1
        let name = "\(names) \(name)"
        ApiProxy.shared.plugins = [NamedCall(name: name)]
        defer { ApiProxy.shared.plugins = [] }
        return (name, try await call(load))
    }
}

/// Says in a header which call a request is from, for `proxy.py`, which does not pass it on.
private struct NamedCall: APIPlugin {
    let name: String

    func adapt(_ request: inout APIRequest, for call: APICall) {
        request.headers["X-Call"] = name
    }

    var varyingFields: VaryingFields { VaryingFields(headers: ["X-Call"]) }
}
