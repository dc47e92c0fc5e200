import DiscreteNetworking
import Foundation

/// Everything API. This file is yours: it was written once, and is never overwritten.
///
/// Sends to other servers than `EverythingService`, without the tokens and credentials of
/// `EverythingService`. Give both the same `session` if their servers accept the same tokens.
public final class EverythingUploadsService: EverythingUploadsServiceDescription {
    public let environment = EnvironmentSwitch(ServiceEnvironment.release)
    public let server = Locked<URL?>(nil)
    public let credentials = Locked(EverythingUploadsCredentials())
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
