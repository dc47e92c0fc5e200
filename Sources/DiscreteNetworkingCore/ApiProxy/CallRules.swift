package import Foundation

/// Changes calls before they start, as an inspector does.
package protocol CallRules: AnyObject, Sendable {
    /// Returns the call, and the delay before it in seconds.
    /// - Parameter mayMock: Whether a sample may take the place of the backend.
    func apply(to call: APICall, mayMock: Bool) -> (call: APICall, delay: TimeInterval)
}

extension APICall {
    /// Returns the call with a response in place of the backend's.
    package func answered(status: Int, headers: HTTPFields, body: Data) -> APICall {
        var response = SampleResponse(headers: headers) { _ in body }
        response.status = status
        guard let sample = ActiveSample(response, .immediate) else { return self }
        return answered(by: sample)
    }
}
