import DiscreteNetworking
import Foundation

/// Everything API. This file is yours: it was written once, and is never overwritten.
public final class EverythingService: EverythingServiceDescription {
    public let environment = EnvironmentSwitch(ServiceEnvironment.release)
    public let server = Locked<URL?>(nil)
    public let credentials = Locked(EverythingCredentials())
    /// Who is logged in, by `bearer`. Give it a refresh where the backend has one.
    public let session: TokenSession? = TokenSession()

    public init() {}
}
