public struct URLSessionTransport: Transport { public init() {}; public func send(_ r: APIRequest) async throws -> TransportResponse { throw TransportError(.unsupported, message: "") } }
