import Foundation

/// The stage of a backend that a service talks to.
public enum ServiceEnvironment: String, Sendable, Hashable, CaseIterable {
    /// What the backend team is working on.
    case develop
    /// What is about to be released.
    case releaseCandidate
    /// What users have.
    case release
}

/// Where the backend of one environment is.
public struct ServiceEndpoint: Sendable, Hashable {
    /// Scheme, host, and optionally port, path and query.
    public var baseURL: URL
    /// The version, put between the base URL and the method name.
    public var apiVersion: String?

    public init(baseURL: URL, apiVersion: String? = nil) {
        self.baseURL = baseURL
        self.apiVersion = apiVersion
    }
}

/// A service with one endpoint for each environment, switched at run time.
///
/// ```swift
/// final class StorefrontService: EnvironmentService {
///     let environment = Locked(ServiceEnvironment.release)
///     func endpoint(in environment: ServiceEnvironment) -> ServiceEndpoint {
///         switch environment {
///         case .develop: ServiceEndpoint(baseURL: URL(string: "http://localhost:8080")!)
///         case .releaseCandidate: ServiceEndpoint(baseURL: URL(string: "https://rc.example.com")!, apiVersion: "v3")
///         case .release: ServiceEndpoint(baseURL: URL(string: "https://api.example.com")!, apiVersion: "v3")
///         }
///     }
/// }
/// service.environment.current = .develop
/// ```
///
/// A call reads the environment once, so that a switch never mixes the base URL of one with the
/// version of another.
public protocol EnvironmentService: Service {
    /// The environment in force.
    var environment: Locked<ServiceEnvironment> { get }

    /// Where the backend of an environment is.
    func endpoint(in environment: ServiceEnvironment) -> ServiceEndpoint
}

extension EnvironmentService {
    public var baseURL: URL { endpoint(in: environment.current).baseURL }
    public var apiVersion: String? { endpoint(in: environment.current).apiVersion }

    public func url(for call: APICall) throws -> URL {
        let endpoint = endpoint(in: environment.current)
        return try call.url(baseURL: endpoint.baseURL, apiVersion: endpoint.apiVersion)
    }
}
