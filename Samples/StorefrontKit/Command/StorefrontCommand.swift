import DiscreteNetworking
import DiscreteNetworkingCommands
import DiscreteNetworkingInspector
import Foundation
import LoopbackServer

/// The sample as a command: from arguments to exit status.
public enum StorefrontCommand {
    /// - Returns: 0 if every outcome was the expected one, 1 if not; as in sysexits.h 64 for wrong options, 69 if a server does not
    ///   start or does not respond, and 73 if the folder of the file cannot be made.
    @MainActor
    public static func run(_ arguments: some Sequence<String>, console: Console) async -> Int32 {
        let options: Options
        do {
            options = try Options(arguments)
        } catch {
            console.error(error.report(Options.help))
            return UsageError.status
        }
        if options.wantsHelp {
            console.out(Options.help)
            return 0
        }
        let file: TrafficFile?
        do {
            file = try options.traffic.map { folder in try TrafficFile(in: folder, print: console.error) }
        } catch {
            console.error("error: \(error.localizedDescription)")
            return 73  // EX_CANTCREAT
        }
        guard options.isInspected else { return await walk(options, console, file) }
        let inspector: Inspector
        do {
            inspector = try Inspector(
                observing: ApiProxy(services: ServiceFactory()),
                allows: [.replay, .mock, .throttle, .secrets],
                print: console.out)
        } catch {
            console.error("error: The inspector does not start: \(error)")
            return 69
        }
        // Until the process, or the task, is ended.
        let quiet = Console(out: { _ in }, error: console.error)
        let stage = Stage(inspector)
        while !Task.isCancelled {
            stage.begin()
            _ = await walk(options, options.isVerbose ? console : quiet, file, stage)
            try? await Task.sleep(nanoseconds: 1_000_000_000)
        }
        return 0
    }

    /// A tour of a new server.
    @MainActor
    private static func walk(
        _ options: Options, _ console: Console, _ file: TrafficFile?, _ stage: Stage? = nil
    ) async -> Int32 {
        if let url = options.baseURL {
            return await tour(of: url, isVerbose: options.isVerbose, console: console, file, stage)
        }
        do {
            let server = try ShopBackend().start()
            stage?.keep(server)
            defer { if stage == nil { server.stop() } }
            return await tour(
                of: server.baseURL, isVerbose: options.isVerbose, console: console, file, stage)
        } catch {
            console.error("error: The built-in server does not start: \(error)")
            return 69
        }
    }

    @MainActor
    private static func tour(
        of url: URL, isVerbose: Bool, console: Console, _ file: TrafficFile?, _ stage: Stage?
    ) async -> Int32 {
        let credentials = FileManager.default.temporaryDirectory
            .appendingPathComponent("Storefront-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: credentials) }
        let make = { @MainActor in
            let proxy = Self.proxy(for: url, credentials)
            stage?.observe(proxy)
            if let file { proxy.addObserver(file) }
            return proxy
        }
        let proxy = make()
        if isVerbose { proxy.addObserver(Verbose(print: console.out)) }

        console.out("The shop at \(url.absoluteString)")
        let transcript = Transcript(console: console, isVerbose: isVerbose)
        let screen = ShopScreen(proxy: proxy, restarted: make)
        await Tour(screen: screen, transcript: transcript, console: console).run()
        guard !transcript.isOver else {
            console.error("error: \(url.absoluteString) does not respond. What follows was left out.")
            return 69
        }
        return transcript.unexpected == 0 ? 0 : 1
    }

    /// What the app makes at each start.
    private static func proxy(for url: URL, _ credentials: URL) -> ApiProxy {
        let services = ServiceFactory()
        services.registerStorefront(at: url, credentials: FileCredentialStore(folder: credentials))
        return ApiProxy(services: services)
    }
}

/// What the calls of the last tours need, so that they can be sent again from the inspector's page.
@MainActor
private final class Stage {
    private let inspector: Inspector
    /// The latest tour is the last.
    private var tours: [(proxies: [ApiProxy], server: LoopbackServer?)] = []

    init(_ inspector: Inspector) { self.inspector = inspector }

    func begin() {
        tours.append(([], nil))
        if tours.count > 3 { tours.removeFirst().server?.stop() }
    }

    func keep(_ server: LoopbackServer) { tours[tours.count - 1].server = server }

    func observe(_ proxy: ApiProxy) {
        inspector.observe(proxy)
        tours[tours.count - 1].proxies.append(proxy)
    }
}
