import Foundation

/// What a manager would make of a response, without a call: status, envelope, decoding.
package struct DecodingProbe: Sendable {
    private let reader: ResponseReader

    /// `nil` where the manager's service is not registered with its proxy, or it does not name one.
    @MainActor
    package init?<Output>(_ manager: TypedAPIManager<Output>, params: Params = [:]) {
        guard let child = manager as? any APIManagerChild,
            let service = manager.proxy.services.service(for: child.serviceIdentifier)
        else { return nil }
        let call = APICall(
            serviceIdentifier: child.serviceIdentifier, methodName: child.methodName,
            requestType: child.requestType, params: params,
            overrides: .init(responseRules: manager.responseRules), outputType: Output.self,
            managerType: ManagerType(type(of: manager)))
        reader = ResponseReader(call, service)
    }

    /// Why the response is no output; `nil` where it is one.
    package func failure(reading response: TransportResponse) -> APIError.Kind? {
        do throws(CallFailure) {
            _ = try reader.read(APIResponse(requestID: reader.call.requestID, response: response))
            return nil
        } catch {
            return error.kind
        }
    }

    /// The paths of the service's business codes, each from the top of the body.
    package var codePaths: [JSONPath] {
        var place: [String] = []
        return (reader.rules.envelope?.layers ?? []).compactMap { layer in
            defer { place += layer.payload?.components ?? [] }
            return layer.code.map { JSONPath(place + $0.components) }
        }
    }
}
