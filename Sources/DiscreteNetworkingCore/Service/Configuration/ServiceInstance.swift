package import Foundation

/// A service, and the configuration that was read when it was created: of an ``EnvironmentService`` one for each
/// environment, read when the environment is first used.
final class ServiceInstance: Sendable {
    package let service: any Service
    /// Why the service cannot be used; `nil` if it can.
    let problem: String?
    /// Likely mistakes, for the log.
    let nearMisses: [String]
    /// The configuration of a service without environments.
    private let fixed: Box<ServiceConfiguration>?
    private let known = Locked<[String: Box<ServiceConfiguration>]>([:])
    /// Held while a configuration is read, so that each is read once.
    private let reading = NSRecursiveLock()
    /// `nil` if the service stores what it says.
    private let storage: Locked<MemoryStorage?>

    /// - Parameter storage: Where the service stores; `nil` for where it says.
    init(_ service: any Service, in storage: MemoryStorage? = nil) {
        self.service = service
        self.storage = Locked(storage)
        let (declaration, environment) = MemoryStorage.within(storage) {
            service.inOneEnvironment { (ServiceDeclaration(of: service), service.environmentName) }
        }
        problem = declaration.problem(of: service)
        nearMisses = declaration.nearMisses.map { "\(type(of: service)): \($0)" }
        let configuration = Box(declaration.configuration)
        fixed = environment == nil ? configuration : nil
        if let environment { keep(configuration, of: environment) }
        if let storage { keepInMemory(storage) }
    }

    /// Whether the service is an ``EnvironmentService``.
    var hasEnvironments: Bool { fixed == nil }

    /// The configuration in the current environment.
    var configuration: Box<ServiceConfiguration> {
        if let fixed { return fixed }
        return service.inOneEnvironment {
            let environment = service.environmentName ?? ""
            if let configuration = known.withLock({ $0[environment] }) { return configuration }
            reading.lock()
            defer { reading.unlock() }
            if let configuration = known.withLock({ $0[environment] }) { return configuration }
            let storage = storage.current
            let configuration = MemoryStorage.within(storage) {
                Box(ServiceDeclaration(of: service).configuration)
            }
            keep(configuration, of: environment)
            if let storage { configuration.value.keepInMemory(storage) }
            return configuration
        }
    }

    /// Lets the service store nothing from now on, in any environment.
    func keepInMemory(_ storage: MemoryStorage) {
        self.storage.withLock { if $0 == nil { $0 = storage } }
        // Held, so that no configuration is read without the storage and missed here.
        reading.lock()
        defer { reading.unlock() }
        service.keepStoredPropertiesInMemory(storage)
        (service as? any EnvironmentService)?.keepSwitchInMemory(storage)
        for configuration in [fixed].compactMap(\.self) + known.current.values {
            configuration.value.keepInMemory(storage)
        }
    }

    private func keep(_ configuration: Box<ServiceConfiguration>, of environment: String) {
        let name: @Sendable () -> String = { [weak self] in
            guard let self else { return environment }
            return service.inOneEnvironment {
                _ = self.configuration
                return self.service.environmentName ?? environment
            }
        }
        configuration.value.session?.declare(in: environment, name: name)
        configuration.value.cookies?.machinery.declare(in: environment, name: name)
        known.withLock { $0[environment] = configuration }
    }

    /// The service in the current environment.
    var configured: ConfiguredService {
        if let fixed { return configured(fixed, in: nil) }
        return service.inOneEnvironment { configured(configuration, in: service.environmentName) }
    }

    /// - Parameter environment: The service's own: another service that has the same session may be in another one.
    private func configured(
        _ configuration: Box<ServiceConfiguration>, in environment: String?
    ) -> ConfiguredService {
        let (session, cookies) = (configuration.value.session, configuration.value.cookies?.machinery)
        return ConfiguredService(
            service: service, configuration: configuration,
            session: environment.map { session?.part(in: $0) } ?? session?.here,
            cookies: cookies?.part(of: environment))
    }

    /// Returns the session of the environment in which a call was made; `nil` if there is none, or only one environment.
    func session(at call: APICall) -> TokenSession? {
        guard hasEnvironments, let name = service.environmentName(at: call) else { return nil }
        return known.current[name]?.value.session?.part(in: name)
    }

    /// Whether the service has a session, in any environment so far.
    var hasSession: Bool {
        fixed.map { $0.value.session != nil }
            ?? known.withLock { $0.values.contains { $0.value.session != nil } }
    }

    /// Empties the jars that belong to a session.
    /// - Returns: Whether the service has that session, in any environment so far.
    func removeCookies(of session: TokenSession) -> Bool {
        if let fixed {
            guard fixed.value.session?.contains(session) == true else { return false }
            fixed.value.cookies?.machinery.part(of: nil).removeAll()
            return true
        }
        let theirs = known.current.filter { $0.value.value.session?.part(in: $0.key) == session }
        for (environment, configuration) in theirs {
            configuration.value.cookies?.machinery.part(of: environment).removeAll()
        }
        return !theirs.isEmpty
    }
}

extension ServiceConfiguration {
    fileprivate func keepInMemory(_ storage: MemoryStorage) {
        session?.keepInMemory(storage)
        cookies?.keepInMemory(storage)
    }
}

extension Service {
    /// Keeps in memory what the stored properties of the service hold.
    fileprivate func keepStoredPropertiesInMemory(_ storage: MemoryStorage) {
        var mirror: Mirror? = Mirror(reflecting: self)
        while let current = mirror {
            for child in current.children { (child.value as? any KeptInMemory)?.keepInMemory(storage) }
            mirror = current.superclassMirror
        }
    }
}

extension EnvironmentService {
    /// The switch may be one that several services share, and no stored property.
    fileprivate func keepSwitchInMemory(_ storage: MemoryStorage) { environment.keepInMemory(storage) }
}

/// A service in one environment.
package struct ConfiguredService: Sendable {
    package let service: any Service
    package let configuration: Box<ServiceConfiguration>
    /// The session; `nil` if there is none.
    package let session: TokenSession?
    /// The cookies; `nil` if they are off.
    package let cookies: (any CookieMachinery)?

    /// The base URLs of all its hosts.
    package var hosts: [URL] { [service.baseURL] + (configuration.value.failover?.hosts ?? []) }
}
