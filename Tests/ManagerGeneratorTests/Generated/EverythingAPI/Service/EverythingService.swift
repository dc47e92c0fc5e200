import DiscreteNetworking
import Foundation

/// Everything API. This file is yours: it was written once, and is never overwritten.
public final class EverythingService: EverythingServiceDescription {
    public let environment = EnvironmentSwitch(ServiceEnvironment.release)
    public let server = Locked<URL?>(nil)
    public let credentials = Locked(EverythingCredentials())
    /// Who is logged in, by `bearer`. Give it a refresh where the backend has one.
    public let session = TokenSession()

    public init() {}

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
}
