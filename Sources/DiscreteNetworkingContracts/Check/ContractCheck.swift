import DiscreteNetworkingCommands
public import DiscreteNetworkingCore
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
    /// The names of arguments that no subject has.
    private var unknown: [String] = []

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

    /// Creates a check as `generate-managers` writes it.
    /// - Parameters:
    ///   - services: The app's services.
    ///   - managers: The subjects to check, with the arguments that the description knows.
    ///   - arguments: The arguments that the app knows, by the name of the contract. A name that no subject has is an error.
    ///   - prepare: Runs first with the proxy of the check, for example to log in.
    public init(
        services: [ServiceIdentifier: any Service.Type], managers: [ContractSubject],
        arguments: [String: ContractArguments], transport: (any Transport)? = nil,
        prepare: (@MainActor (ApiProxy) async throws -> Void)? = nil
    ) {
        let subjects = managers.map { subject in
            var subject = subject
            subject.arguments = arguments[subject.name] ?? subject.arguments
            return subject
        }
        self.init(services: services, managers: subjects, transport: transport, prepare: prepare)
        let names = Set(managers.map(\.name))
        unknown = arguments.keys.filter { !names.contains($0) }.sorted()
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
        exit(await run(CommandLine.arguments.dropFirst(), to: .standard))
    }

    /// Runs the check.
    /// - Parameters:
    ///   - out: Receives lines of output.
    ///   - error: Receives the reason if nothing could be done.
    /// - Returns: 0 if no output is broken, 1 if a drift breaks an output or an endpoint is gone, 2 if something could not be
    ///   checked, 64 for wrong options, 69 if nothing is wrong but that the server, or some of it, is down.
    public func run(
        _ arguments: some Sequence<String>, out: (String) -> Void, error: (String) -> Void
    ) async -> Int32 {
        await withoutActuallyEscaping(out) { out in
            await withoutActuallyEscaping(error) { error in
                await run(arguments, to: CheckOutput(out: out, error: error))
            }
        }
    }

    private func run(_ arguments: some Sequence<String>, to output: CheckOutput) async -> Int32 {
        let options: CheckOptions
        do {
            options = try CheckOptions(arguments)
        } catch let problem {
            output.error(problem.report(CheckOptions.help))
            return UsageError.status
        }
        guard !options.wantsHelp else {
            output.out(CheckOptions.help)
            return 0
        }
        return await run(options, to: output)
    }

    /// Runs the check with options that were read before.
    package func run(_ options: CheckOptions, to output: CheckOutput) async -> Int32 {
        let names = managers.map(\.name)
        if let name = options.only.first(where: { !names.contains($0) }), !names.isEmpty {
            let problem = UsageError(
                "There is no manager \(name).\(NearName.hint(name, among: names)) There are \(names.joined(separator: ", "))."
            )
            output.error(problem.report(CheckOptions.help))
            return UsageError.status
        }
        let proxy = proxy(for: options)
        do {
            let chosen = try choose(options.only)
            let reports =
                if let problem = await preparation(proxy) {
                    chosen.map { $0.failed(problem.text, isUnreachable: problem.isUnreachable) }
                } else {
                    await check(chosen, options, over: proxy, output)
                }
            let outcome = CheckOutcome(reports: reports)
            for line in outcome.table(hasColours: output.hasColours) { output.out(line) }
            if let file = options.junit { try write(outcome.junit, to: file) }
            if let file = options.json { try write(outcome.json, to: file) }
            if let file = options.html {
                let page = ReportPage(outcome: outcome, server: options.baseURL, date: Date())
                try write(page.text, to: file)
            }
            return outcome.status
        } catch let problem {
            output.error("error: \(problem.message)")
            return 2
        }
    }

    /// Checks subjects. A subject that needs another one's response is checked after it.
    private func check(
        _ chosen: [ContractSubject], _ options: CheckOptions, over proxy: ApiProxy, _ output: CheckOutput
    ) async -> [ContractReport] {
        let folder = ContractFolder(options.contracts)
        var answers = ContractAnswers()
        var reports: [String: ContractReport] = [:]
        defer { output.progress("") }
        for (index, subject) in chosen.enumerated() {
            output.progress("Checking \(subject.name), \(index + 1) of \(chosen.count)")
            for needed in sources(of: subject) + [subject] where reports[needed.name] == nil {
                reports[needed.name] = await needed.check(
                    against: folder, mode: options.mode, over: proxy, &answers)
            }
        }
        return chosen.compactMap { reports[$0.name] }
    }

    /// Returns the subjects that provide the responses that a subject needs, in the order of their calls.
    private func sources(of subject: ContractSubject) -> [ContractSubject] {
        var sources: [ContractSubject] = []
        var last = subject
        while case .chain(_, let list, _) = last.arguments.kind,
            let source = managers.first(where: { $0.name == list }),
            source.name != subject.name, !sources.contains(where: { $0.name == source.name })
        {
            sources.insert(source, at: 0)
            last = source
        }
        return sources
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
        guard unknown.isEmpty else {
            throw ContractError(
                "There are arguments for \(unknown.joined(separator: ", ")), which the check does not have; correct the name, or remove them."
            )
        }
        // Who needs arguments that nobody has given is not part of the check.
        let checked = managers.filter { if case .optional = $0.arguments.kind { false } else { true } }
        return names.isEmpty ? checked : managers.filter { names.contains($0.name) }
    }

    /// Runs the preparation; returns why it failed, `nil` if it succeeded.
    private func preparation(_ proxy: ApiProxy) async -> (text: String, isUnreachable: Bool)? {
        do {
            try await prepare?(proxy)
            return nil
        } catch let error as APIError {
            return (
                "It was not checked, because the preparation failed: \(error.localizedDescription)",
                ContractSubject.isUnreachable(error)
            )
        } catch {
            return (
                "It was not checked, because the preparation failed with a \(type(of: error)).", false
            )
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
