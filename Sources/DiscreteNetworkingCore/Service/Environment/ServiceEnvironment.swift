public import Foundation

/// The usual environments of a backend. An app with other environments defines an enum of its own; see
/// ``EnvironmentService``.
public enum ServiceEnvironment: String, Sendable, Hashable, CaseIterable {
    /// Development.
    case develop
    /// Release candidate.
    case releaseCandidate
    /// Production.
    case release
}

/// The base URL and version of a backend in one environment.
///
/// ```swift
/// ServiceEndpoint(
///     baseURL: URL(string: "https://api.example.com")!, apiVersion: "v3")
/// // https://api.example.com/v3/products/7
/// ```
public struct ServiceEndpoint: Sendable, Hashable {
    /// The base URL: scheme, host, and optionally port, path and query.
    public var baseURL: URL
    /// The path segment between the base URL and the method name.
    public var apiVersion: String?
    /// The keys of this environment, under names the service chooses. Their descriptions are redacted.
    public var keys: [String: SigningKey]
    /// The other hosts of this environment, for a service that returns them in ``ServiceConfiguration/failover``.
    public var failover: FailoverPolicy?

    /// Creates an endpoint.
    public init(
        baseURL: URL, apiVersion: String? = nil, keys: [String: SigningKey] = [:],
        failover: FailoverPolicy? = nil
    ) {
        self.baseURL = baseURL
        self.apiVersion = apiVersion
        self.keys = keys
        self.failover = failover
    }
}

/// A service with one endpoint per environment, switchable at run time.
///
/// ```swift
/// final class StorefrontService: EnvironmentService {
///     let environment = EnvironmentSwitch(ServiceEnvironment.release)
///     func endpoint(in environment: ServiceEnvironment) -> ServiceEndpoint {
///         switch environment {
///         case .develop:
///             ServiceEndpoint(baseURL: URL(string: "http://localhost:8080")!)
///         case .releaseCandidate:
///             ServiceEndpoint(
///                 baseURL: URL(string: "https://rc.example.com")!,
///                 apiVersion: "v3")
///         case .release:
///             ServiceEndpoint(
///                 baseURL: URL(string: "https://api.example.com")!,
///                 apiVersion: "v3")
///         }
///     }
/// }
/// service.environment.current = .develop
/// ```
///
/// Environments of any number and name are an enum of the app's own:
///
/// ```swift
/// enum Stage: String { case mock, qa1, qa2, staging, live }
/// final class StorefrontService: EnvironmentService {
///     let environment = EnvironmentSwitch(Stage.live)
///     func endpoint(in stage: Stage) -> ServiceEndpoint {
///         ServiceEndpoint(
///             baseURL: URL(string: "https://\(stage).example.com")!,
///             keys: ["sign": SigningKey(secret)])
///     }
///     func signer(for call: APICall) -> (any RequestSigner)? {
///         endpoint.keys["sign"].map { FieldSigner(key: $0) }
///     }
/// }
/// let service =
///     ServiceFactory.shared.service(for: .storefront) as? StorefrontService
/// // At run time, and after the next start.
/// service?.use(.qa2, rememberedIn: .standard)
/// service?.useRememberedEnvironment(in: .standard)    // at start-up
/// ```
///
/// An attempt sees one environment from its first step to its last: session, cookies, base URL, hosts, keys, headers,
/// transport and cached responses. So do the calls that a refresh makes. In the members of the service, ``endpoint``
/// and ``EnvironmentSwitch/current`` belong to that environment. A call that waited for its session while the app
/// switched starts its attempt again, in the new environment.
public protocol EnvironmentService: Service {
    /// The type of the environments.
    associatedtype Environment: Sendable = ServiceEnvironment

    /// The current environment.
    var environment: EnvironmentSwitch<Environment> { get }

    /// Returns the endpoint of an environment.
    func endpoint(in environment: Environment) -> ServiceEndpoint
}

extension EnvironmentService {
    /// The endpoint of the current environment; see ``EnvironmentSwitch/current``.
    public var endpoint: ServiceEndpoint { endpoint(in: environment.current) }
    public var baseURL: URL { endpoint.baseURL }
    public var apiVersion: String? {
        DefaultProbe.note(.apiVersion)
        return endpoint.apiVersion
    }

    public func url(for call: APICall) throws -> URL {
        DefaultProbe.note(.url)
        let endpoint = endpoint
        return try call.url(baseURL: endpoint.baseURL, apiVersion: endpoint.apiVersion)
    }
}

extension EnvironmentService where Environment: RawRepresentable, Environment.RawValue == String {
    /// Switches to an environment and stores the choice.
    /// - Parameter defaults: where the choice is stored, under the name of the service's class.
    public func use(_ environment: Environment, rememberedIn defaults: UserDefaults) {
        self.environment.current = environment
        self.environment.remember(environment.rawValue, forKey: Self.defaultsKey, in: defaults)
    }

    /// Switches to the stored environment. Has no effect if none is stored or it no longer exists.
    public func useRememberedEnvironment(in defaults: UserDefaults) {
        let stored = environment.remembered(forKey: Self.defaultsKey, in: defaults)
        guard let environment = stored.flatMap(Environment.init(rawValue:)) else { return }
        self.environment.restore(environment)
    }

    private static var defaultsKey: String {
        "DiscreteNetworking.environment.\(String(reflecting: Self.self))"
    }
}
