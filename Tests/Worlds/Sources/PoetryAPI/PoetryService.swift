import DiscreteNetworking
import Foundation

/// What the description does not say; the rest of the module is generated when it is built.
public final class PoetryService: PoetryServiceDescription {
    public let environment = EnvironmentSwitch(ServiceEnvironment.release)
    public let server = Locked<URL?>(nil)

    public init() {}
}
