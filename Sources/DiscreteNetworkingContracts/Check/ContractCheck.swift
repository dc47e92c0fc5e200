public import DiscreteNetworking
import Foundation

/// A command that compares an app's endpoints with their contracts, for a nightly job.
///
/// ```swift
/// @main struct Check {
///     static func main() async {
///         await ContractCheck(
///             services: [.storefront: StorefrontService.self],
///             managers: [.init(ProductManager(), params: ["id": 7])]
///         ).main()
///     }
/// }
/// ```
///
/// Run it once with `--record`, commit the directory `Contracts`, and then run it every night.
@MainActor
public struct ContractCheck {
    private let services: ServiceFactory
    private let managers: [ContractSubject]
    private let transport: (any Transport)?
    private let prepare: (@MainActor (ApiProxy) async throws -> Void)?

    /// Creates a check.
    ///
    /// The services neither read nor change what the app stores on this machine; see
    /// ``/DiscreteNetworking/ServiceFactory/keepInMemory()``.
    /// - Parameters:
    ///   - services: The app's services.
    ///   - managers: The subjects to check, in order.
    ///   - transport: The transport. Default: the platform's.
    ///   - prepare: Runs first with the proxy of the check, for example to log in.
    public init(
        services: [ServiceIdentifier: any Service.Type], managers: [ContractSubject],
        transport: (any Transport)? = nil, prepare: (@MainActor (ApiProxy) async throws -> Void)? = nil
    ) {
        let factory = ServiceFactory()
        factory.register(services)
        self.init(services: factory, managers: managers, transport: transport, prepare: prepare)
    }

    /// Creates a check of services that need more than `init()`. Each closure creates one, on first use.
    @_disfavoredOverload
    public init(
        services: [ServiceIdentifier: @Sendable () -> any Service], managers: [ContractSubject],
        transport: (any Transport)? = nil, prepare: (@MainActor (ApiProxy) async throws -> Void)? = nil
    ) {
        let factory = ServiceFactory()
        factory.register(services)
        self.init(services: factory, managers: managers, transport: transport, prepare: prepare)
    }

    /// Creates a check of the services of a factory, which store nothing from then on.
    public init(
        services factory: ServiceFactory, managers: [ContractSubject], transport: (any Transport)? = nil,
        prepare: (@MainActor (ApiProxy) async throws -> Void)? = nil
    ) {
        factory.keepInMemory()
        services = factory
        self.managers = managers
        self.transport = transport
        self.prepare = prepare
    }

    /// Runs with the arguments of the process, and exits.
    public func main() async -> Never {
        let status = await run(
            CommandLine.arguments.dropFirst(),
            out: { FileHandle.standardOutput.write(Data("\($0)\n".utf8)) },
            error: { FileHandle.standardError.write(Data("\($0)\n".utf8)) })
        exit(status)
    }

    /// Runs the check.
    /// - Parameters:
    ///   - out: Receives lines of output.
    ///   - error: Receives the reason if nothing could be done.
    /// - Returns: 0 if no output is broken, 1 if a drift breaks an output, 2 if something could not be
    ///   checked and no output is broken.
    public func run(
        _ arguments: some Sequence<String>, out: (String) -> Void, error: (String) -> Void
    ) async -> Int32 {
        let options: CheckOptions
        do {
            options = try CheckOptions(arguments)
        } catch let problem {
            error("\(problem.message)\n\n\(CheckOptions.help)")
            return 2
        }
        guard !options.wantsHelp else {
            out(CheckOptions.help)
            return 0
        }
        let proxy = proxy(for: options)
        do {
            let chosen = try choose(options.only)
            var reports: [ContractReport] = []
            if let problem = await preparation(proxy) {
                reports = chosen.map { $0.failed(problem) }
            } else {
                for subject in chosen {
                    reports.append(
                        await subject.check(
                            against: ContractFolder(options.contracts), mode: options.mode, over: proxy))
                }
            }
            let outcome = CheckOutcome(reports: reports)
            for line in outcome.table { out(line) }
            if let file = options.junit { try write(outcome.junit, to: file) }
            if let file = options.json { try write(outcome.json, to: file) }
            if let file = options.html {
                let page = ReportPage(outcome: outcome, server: options.baseURL, date: Date())
                try write(page.text, to: file)
            }
            return outcome.status
        } catch let problem {
            error(problem.message)
            return 2
        }
    }

    private func proxy(for options: CheckOptions) -> ApiProxy {
        let own = transport ?? PlatformTransport.make()
        return ApiProxy(
            transport: options.baseURL.map { BaseURLTransport($0, over: own) } ?? own, services: services)
    }

    private func choose(_ names: [String]) throws(ContractError) -> [ContractSubject] {
        let known = managers.map(\.name)
        guard Set(known).count == known.count else {
            let twice = known.first { name in known.filter { $0 == name }.count > 1 } ?? ""
            throw ContractError(
                "Two managers have the contract \(twice); give one of them a name of its own.")
        }
        guard !managers.isEmpty else { throw ContractError("There are no managers to check.") }
        for name in names where !known.contains(name) {
            throw ContractError("There is no manager \(name); there are \(known.joined(separator: ", ")).")
        }
        return names.isEmpty ? managers : managers.filter { names.contains($0.name) }
    }

    /// Runs the preparation; returns why it failed, `nil` if it succeeded.
    private func preparation(_ proxy: ApiProxy) async -> String? {
        do {
            try await prepare?(proxy)
            return nil
        } catch let error as APIError {
            return "It was not checked, because the preparation failed: \(error.localizedDescription)"
        } catch {
            return "It was not checked, because the preparation failed with a \(type(of: error))."
        }
    }

    private func write(_ text: String, to file: URL) throws(ContractError) {
        do {
            try Data(text.utf8).write(to: file, options: .atomic)
        } catch {
            throw ContractError("\(file.path) cannot be written.")
        }
    }
}
