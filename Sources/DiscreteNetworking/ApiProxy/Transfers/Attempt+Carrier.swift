import Foundation

extension APICall {
    /// Whether a ``CallCarrier`` sends the requests.
    var isCarried: Bool { overrides.carrier != nil }
}

extension Attempt {
    /// The request that an earlier process has sent; `nil` if there is none.
    var begunRequest: APIRequest? {
        guard var request = self.call.overrides.carrier?.begunRequest,
            let destination = try? self.call.destination(limit: self.plan.configuration.responseSizeLimit)
        else { return nil }
        request.destination = destination
        request.timeout = .infinity
        return request
    }
}
