package import DiscreteNetworkingCore
package import DiscreteNetworkingHTTP
import DiscreteNetworkingSupport
package import Foundation

/// What an inspector does to the next calls of endpoints: it responds in place of the backend, and delays them.
package final class EndpointRules: CallRules {
    /// A method of a service.
    package struct Endpoint: Sendable, Hashable {
        package let service: String
        package let method: String
        package let methodName: String

        package init(service: String, method: String, methodName: String) {
            self.service = service
            self.method = method
            self.methodName = methodName
        }

        init(_ call: APICall) {
            self.init(
                service: call.serviceIdentifier.rawValue, method: call.requestType.rawValue,
                methodName: call.methodName)
        }
    }

    /// A response in place of the backend's.
    package struct Mock: Sendable {
        package let status: Int
        package let headers: HTTPFields
        package let body: Data
        /// The number of calls that still get it.
        package fileprivate(set) var remaining: Int

        package init(status: Int, headers: HTTPFields, body: Data, count: Int) {
            self.status = status
            self.headers = headers
            self.body = body
            remaining = count
        }
    }

    private struct State {
        var mocks: [Endpoint: Mock] = [:]
        var delays: [Endpoint: TimeInterval] = [:]
    }

    private let state = Locked(State())

    package init() {}

    package var mocks: [Endpoint: Mock] { state.current.mocks }
    /// The delays in seconds.
    package var delays: [Endpoint: TimeInterval] { state.current.delays }

    /// Sets the response to the next calls of an endpoint.
    /// - Parameter mock: `nil` for the backend's.
    package func respond(to endpoint: Endpoint, with mock: Mock?) {
        state.withLock { $0.mocks[endpoint] = mock.flatMap { $0.remaining > 0 ? $0 : nil } }
    }

    /// Delays the calls of an endpoint.
    /// - Parameter seconds: 0 for no delay.
    package func delay(_ endpoint: Endpoint, by seconds: TimeInterval) {
        state.withLock { $0.delays[endpoint] = seconds > 0 ? seconds : nil }
    }

    /// Applies the rules to a call that is about to start.
    /// - Returns: The call, to which a mock may respond, and its delay in seconds.
    package func apply(to call: APICall, mayMock: Bool) -> (call: APICall, delay: TimeInterval) {
        let endpoint = Endpoint(call)
        let (mock, delay) = state.withLock { state -> (Mock?, TimeInterval) in
            let mock = mayMock ? state.mocks[endpoint] : nil
            if let mock {
                state.mocks[endpoint]?.remaining -= 1
                if mock.remaining <= 1 { state.mocks[endpoint] = nil }
            }
            return (mock, state.delays[endpoint] ?? 0)
        }
        guard let mock else { return (call, delay) }
        return (call.answered(status: mock.status, headers: mock.headers, body: mock.body), delay)
    }
}
