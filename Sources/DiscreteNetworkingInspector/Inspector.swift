public import DiscreteNetworkingCore
public import DiscreteNetworkingTraffic
public import Foundation
import LoopbackServer

/// Shows the calls of a proxy in a browser while the app runs: each with its steps and their times, its requests and
/// responses, and a cURL line to copy.
///
/// ```swift
/// #if DEBUG
///     let inspector = try Inspector(observing: ApiProxy.shared)
/// #endif
/// // The inspector: http://127.0.0.1:51234/3f0c…/
/// ```
///
/// The page shows calls. To let it send calls again, mock or delay them, see ``Abilities``.
///
/// The page is served on this machine alone, below a path with a random token that is printed once, until the inspector is
/// stopped or released. Requests for another host name and from other origins are refused, so that no web page can read
/// it (DNS rebinding). Secrets are redacted; see ``/DiscreteNetworking/Redaction``.
public final class Inspector: Sendable {
    /// Who may open the page.
    public enum Access: Sendable, Hashable {
        /// Browsers on this machine.
        case thisMachine
        /// Devices on the same network too, which reach this one by one of these names or addresses, such as
        /// `iphone.local` or `192.168.1.23`. The connection is not encrypted.
        case network(names: Set<String>)

        /// Devices on the same network, which reach this one by one of its IPv4 addresses or by its Bonjour name. The
        /// connection is not encrypted. iOS 16 and later keep the Bonjour name to themselves; pass it to
        /// ``network(names:)``.
        public static var localNetwork: Access { .network(names: Set(DeviceNames.own)) }

        /// The names that are allowed besides the names of this machine.
        var names: [String] {
            if case .network(let names) = self { names.map { $0.lowercased() }.sorted() } else { [] }
        }
    }

    /// The URL of the page on this machine, with its token.
    public var url: URL { urls[0] }
    /// The URLs of the page: that on this machine, then one for each name of ``Access/network(names:)``, for other devices.
    public let urls: [URL]
    /// What the page shows.
    public let recorder: TrafficRecorder
    private let server: LoopbackServer
    private let observed: WeakList<Observed>
    private let rules: EndpointRules?

    /// A proxy, which an inspector may outlive.
    private struct Observed: Sendable {
        let proxy: ApiProxy
        let observer: ApiProxy.ObserverID
    }

    /// Starts an inspector.
    /// - Parameters:
    ///   - proxy: The proxy to observe. To observe others too, call ``observe(_:)``.
    ///   - port: The port; 0 for any free one.
    ///   - access: Who may open the page.
    ///   - abilities: What the page may do beside showing calls. Default: nothing.
    ///   - limits: How much is kept of the calls. Default: 10,000 calls of 128 MiB in all.
    ///   - print: Receives a line for each URL. For other devices, also the lines of a QR code of the first of their URLs,
    ///     drawn for a dark console.
    /// - Throws: A `POSIXError` if the port cannot be bound.
    public convenience init(
        observing proxy: ApiProxy = .shared, port: UInt16 = 0, access: Access = .thisMachine,
        allows abilities: Abilities = [],
        limits: TrafficRecorder.Limits = .init(calls: 10_000, bytes: 128 << 20, body: 256 << 10),
        print: (String) -> Void = Inspector.printToStandardError
    ) throws {
        try self.init(
            TrafficRecorder(
                limits: limits, redaction: proxy.redaction, isForReplay: abilities.contains(.replay)),
            port, access, abilities, file: nil)
        observe(proxy)
        self.print(print)
    }

    /// Shows the calls of a file instead of an app's calls, on this machine. The file is an HTTP Archive of any
    /// program, or a file that a ``TrafficFile`` has written.
    ///
    /// `swift run inspect FILE` does the same from the command line.
    /// - Parameters:
    ///   - file: The file. A file of a ``TrafficFile`` opens all files of that start of the app. Their folder opens the
    ///     latest start.
    ///   - port: The port; 0 for any free one.
    ///   - print: Receives a line with the URL.
    /// - Throws: An error of Foundation if the file cannot be read, a `POSIXError` if the port cannot be bound.
    public convenience init(
        opening file: URL, port: UInt16 = 0, print: (String) -> Void = Inspector.printToStandardError
    ) throws {
        try self.init(TrafficRecorder(), port, .thisMachine, [], file: ServedFile(file))
        self.print(print)
    }

    private init(
        _ recorder: TrafficRecorder, _ port: UInt16, _ access: Access, _ abilities: Abilities,
        file: ServedFile?
    ) throws {
        let endpoints = EndpointRules()
        rules = abilities.isDisjoint(with: [.mock, .throttle]) ? nil : endpoints
        let token = RequestGuard.makeToken()
        var serving = ServingRules()
        serving.servesNetwork = access != .thisMachine
        serving.keepsRequests = false
        // A browser has up to six connections, one of them for the events. Clients without the token have a third of the
        // places, and a newer one takes that of an older one.
        serving.connectionLimit = 48
        serving.untrustedLimit = 16
        serving.patience = 30
        serving.drainSeconds = 2
        serving.drainBytes = 1 << 20
        let observed = WeakList<Observed>()
        let routes = InspectorRoutes(
            recorder: recorder, guardian: RequestGuard(token: token, others: access.names),
            actions: InspectorActions(recorder: recorder, rules: endpoints, allowed: abilities),
            file: file,
            queued: { observed.all.flatMap { $0.proxy.queues.latest() } })
        server = try LoopbackServer(port: port, bodyLimit: 1 << 20, rules: serving, handler: routes.response)
        urls = Self.urls(server.baseURL, access).map {
            $0.appendingPathComponent(token, isDirectory: true)
        }
        self.recorder = recorder
        self.observed = observed
    }

    private func print(_ print: (String) -> Void) {
        for url in urls { print("The inspector: \(url.absoluteString)") }
        if urls.count > 1, let code = QRCode(urls[1].absoluteString) {
            for line in code.lines() { print(line) }
        }
    }

    private static func urls(_ own: URL, _ access: Access) -> [URL] {
        [own]
            + access.names.compactMap { name in
                var components = URLComponents(url: own, resolvingAgainstBaseURL: false)
                components?.host = name
                return components?.url
            }
    }

    deinit { stop() }

    /// Shows the calls of another proxy too.
    public func observe(_ proxy: ApiProxy) {
        let observer = proxy.addObserver(recorder)
        if let rules { proxy.callRules.current = rules }
        observed.add { [weak proxy] in proxy.map { Observed(proxy: $0, observer: observer) } }
    }

    /// Stops observing and serving.
    public func stop() {
        for one in observed.removeAll() {
            one.proxy.removeObserver(one.observer)
            // Another inspector may have set its own.
            one.proxy.callRules.withLock { if let rules, $0 === rules { $0 = nil } }
        }
        server.stop()
    }

    /// Writes a line to standard error.
    public static let printToStandardError: @Sendable (String) -> Void = { line in
        FileHandle.standardError.write(Data("\(line)\n".utf8))
    }
}
