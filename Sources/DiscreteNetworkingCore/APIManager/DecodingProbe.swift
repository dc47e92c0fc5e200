import Foundation

/// Processes a response as a manager would, without a call: status, envelope, decoding.
package struct DecodingProbe: Sendable {
    private let reader: ResponseReader

    /// Creates a probe; returns `nil` if the manager names no service or it is not registered with the
    /// proxy.
    @MainActor
    package init?<Output>(_ manager: TypedAPIManager<Output>, params: Params = [:]) {
        guard let child = manager as? any APIManagerChild,
            let instance = try? manager.proxy.services.lookUp(child.serviceIdentifier)
        else { return nil }
        let call = APICall(
            serviceIdentifier: child.serviceIdentifier, methodName: child.methodName,
            requestType: child.requestType, params: params,
            overrides: .init(responseRules: manager.responseRules), outputType: Output.self,
            managerType: ManagerType(type(of: manager)))
        reader = ResponseReader(call, CallPlan(call, instance.configured))
    }

    /// Returns why the response cannot be decoded; `nil` if it can.
    package func failure(reading response: TransportResponse) -> APIError.Kind? {
        do throws(CallFailure) {
            _ = try reader.read(APIResponse(requestID: reader.call.requestID, response: response))
            return nil
        } catch {
            return error.kind
        }
    }

    /// The paths of the service's business codes, from the top of the body.
    package var codePaths: [JSONPath] {
        var place: [String] = []
        return (reader.plan.envelope(of: reader.call)?.layers ?? []).compactMap { layer in
            defer { place += layer.payload?.components ?? [] }
            return layer.code.map { JSONPath(place + $0.components) }
        }
    }
}
