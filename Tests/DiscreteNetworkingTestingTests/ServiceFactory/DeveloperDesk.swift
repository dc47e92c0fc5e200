import DiscreteNetworking
import DiscreteNetworkingContracts
import Foundation
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ServiceIdentifier {
    static let desk: Self = "desk"
    static let staged: Self = "staged"
}

/// What an app stores on the desk of its developer.
enum DeveloperDesk {
    static let folder = Locked(FileManager.default.temporaryDirectory)
    static var credentials: FileCredentialStore {
        FileCredentialStore(folder: folder.current.appendingPathComponent("credentials"))
    }
    static var traffic: URL { folder.current.appendingPathComponent("calls.har") }
    static var cassette: URL { folder.current.appendingPathComponent("cassette.json") }
    static let suite = "DiscreteNetworking.DeveloperDesk.\(ProcessInfo.processInfo.processIdentifier)"
    static var defaults: UserDefaults { UserDefaults(suiteName: suite)! }

    static let sara = SessionTokens(
        accessToken: "the-developers-own", refreshToken: "the-developers-renewal", user: "sara")

    /// Every file, with its content and the date of its last change.
    static var files: [String: String] {
        let root = folder.current
        var files: [String: String] = [:]
        let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String }
        for name in names ?? [] {
            let file = root.appendingPathComponent(name)
            let date = try? FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate]
            let content = (try? Data(contentsOf: file))?.base64EncodedString() ?? "folder"
            // The date of a folder shows that a file was written and removed.
            files[name] = "\(date ?? "") \(content)"
        }
        return files
    }
}

/// A service that brings everything that can be stored, and uses it by itself as well.
final class DeskService: Service {
    let baseURL = URL(string: "https://desk.example.com")!
    let tokens = TokenSession(store: DeveloperDesk.credentials)
    let jar = CookieJar(store: DeveloperDesk.credentials)
    /// No member of the configuration.
    let spare = TokenSession(store: DeveloperDesk.credentials, key: "spare")
    let device = DeveloperDesk.credentials
    let responses = DiskCache(folder: DeveloperDesk.folder.current.appendingPathComponent("responses"))
    let recorder = TrafficRecorder()
    let configuration: ServiceConfiguration

    init() {
        configuration = ServiceConfiguration(
            transport: CassetteTransport(at: DeveloperDesk.cassette, mode: .record(over: SilentTransport())),
            session: tokens, cookies: jar)
    }

    func extraHeaders(for call: APICall) -> [String: String] {
        var headers = ["X-Spare": spare.tokens?.accessToken ?? "none"]
        headers["X-Device"] = (try? device.read("device")).map { String(decoding: $0, as: UTF8.self) }
        // Created for each call.
        headers["X-Again"] = (try? DeveloperDesk.credentials.read("device")).map {
            String(decoding: $0, as: UTF8.self)
        }
        return headers
    }

    func intercept(_ failure: FailureContext) async -> FailureDisposition {
        try? recorder.write(to: DeveloperDesk.traffic)
        try? await tokens.logOut()
        try? await spare.logOut()
        try? device.remove("device")
        try? DeveloperDesk.credentials.write(Data("used".utf8), for: "device")
        return .report
    }
}

/// Responds with an empty object.
struct SilentTransport: Transport {
    func send(_ request: APIRequest) async throws -> TransportResponse {
        TransportResponse(
            url: request.url, status: 500, headers: ["Content-Type": "application/json"],
            body: .data(Data("{}".utf8)))
    }
}

/// A service with environments that remembers which one the developer works with.
final class StagedService: EnvironmentService {
    enum Stage: String { case live, sara }
    let environment = EnvironmentSwitch(Stage.live)
    init() { useRememberedEnvironment(in: DeveloperDesk.defaults) }

    var configuration: ServiceConfiguration {
        ServiceConfiguration(session: TokenSession(store: DeveloperDesk.credentials, key: "staged"))
    }

    func endpoint(in stage: Stage) -> ServiceEndpoint {
        ServiceEndpoint(baseURL: URL(string: "https://\(stage.rawValue).example.com")!)
    }
}

/// A session that many services of the app share.
final class SharedSessionService: Service {
    let baseURL = URL(string: "https://desk.example.com")!
    private let session: TokenSession
    init() { session = TokenSession(store: DeveloperDesk.credentials) }
    init(session: TokenSession) { self.session = session }
    var configuration: ServiceConfiguration { ServiceConfiguration(session: session) }
}

final class DeskManager: APIManager<JSONValue> {
    let serviceIdentifier = ServiceIdentifier.desk
    let methodName = "papers"
    let requestType = HTTPMethod.get
}

final class StagedManager: APIManager<JSONValue> {
    let serviceIdentifier = ServiceIdentifier.staged
    let methodName = "papers"
    let requestType = HTTPMethod.get
}
