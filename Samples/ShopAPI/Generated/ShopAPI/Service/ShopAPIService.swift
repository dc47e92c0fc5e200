import DiscreteNetworking
import Foundation

/// The shop. This file is yours: it was written once, and is never overwritten.
public final class ShopAPIService: ShopAPIServiceDescription {
    public let environment = EnvironmentSwitch(ServiceEnvironment.release)
    public let server = Locked<URL?>(nil)
    public let credentials = Locked(ShopAPICredentials())
    /// Who is logged in, by `customer`. Give it a refresh where the backend has one.
    public let session = TokenSession()

    public init() { credentials.withLock { $0.client = "000001" } }

    /// Uses a server that replaces all servers of the description, also over plain HTTP.
    public convenience init(server: URL) {
        self.init()
        self.server.current = server
    }

    public var configuration: ServiceConfiguration {
        var configuration = describedConfiguration
        configuration.session = session
        return configuration
    }

    /// What the description leaves out: `{"code": 0, "msg": "", "content": …}`.
    public func envelope(for call: APICall) -> Envelope? {
        Envelope(code: "code", success: [0], message: "msg", payload: "content")
    }
}
