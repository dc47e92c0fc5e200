import Foundation

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

extension ClosureTransport {
    /// Answers with a product whose number counts the requests.
    static func counting(
        headers: HTTPFields = [:], failing: @escaping @Sendable (Int) -> Bool = { _ in false }
    ) -> ClosureTransport {
        let count = Locked(0)
        return ClosureTransport { request in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if failing(number) { throw TransportError(.connectionLost, message: "Gone.") }
            let body = Data(#"{"id":\#(number),"name":"茶壶"}"#.utf8)
            return TransportResponse(url: request.url, status: 200, headers: headers, body: .data(body))
        }
    }
}

extension Stack {
    @MainActor
    func manager(keeping policy: CachePolicy) -> ProductManager {
        let manager = manager(ProductManager())
        manager.ownCache = policy
        return manager
    }
}
