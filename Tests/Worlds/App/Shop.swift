import DiscreteNetworking
import Foundation

// A service, models and managers, as an app writes them.

extension ServiceIdentifier { static let shop: Self = "shop" }

final class ShopService: Service {
    let language = Locked("en")
    var baseURL: URL { URL(string: "https://shop.example.com")! }
    var apiVersion: String? { "v3" }
    func extraParams(for call: APICall) -> Params { ["cid": "000001"] }
    func extraHeaders(for call: APICall) -> [String: String] { ["Accept-Language": language.current] }
    func envelope(for call: APICall) -> Envelope? {
        Envelope(code: "code", success: [0], message: "msg", payload: "content")
    }
    func intercept(_ failure: FailureContext) async -> FailureDisposition {
        failure.response?.status == 503 ? .retry(after: 1) : .report
    }
}

// Decoding happens off the main actor: a model says `nonisolated` where that is not the default.
nonisolated struct Item: Decodable, Sendable, Identifiable {
    let id: Int
    let name: String
    let maker: Maker?
    let addedAt: Date?
}

nonisolated struct Maker: Decodable, Sendable { let name: String }

nonisolated struct ItemPage: APIPage {
    let items: [Item]
    let total: Int?
}

nonisolated enum Sort: String, ParamValueConvertible { case newest, oldest }

final class ItemManager: APIManager<Item>, APIManagerValidator {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "items/{id}"
    let requestType = HTTPMethod.get
    override var timeout: TimeInterval? { 5 }
    override var cachePolicy: CachePolicy { .memory }

    func validate(params: Params, for manager: BaseAPIManager) -> ValidationResult {
        (params["id"]?.int ?? 0) > 0 ? .valid : .invalid(reason: "id has to be positive")
    }
}

/// Says by itself what its service would say otherwise.
final class StockManager: APIManager<Item>, APIManagerInterceptor {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "stock"
    let requestType = HTTPMethod.post
    private(set) var numbers: [RequestID] = []
    override var encoding: (any ParamEncoding)? { .query(["page"], rest: .json(root: "ids")) }
    override var responseRules: ResponseRules { ResponseRules(envelope: .bare, statuses: [200, 404]) }
    override var sample: SampleResponse? {
        .json { params in ["id": params["page"] ?? 1, "name": "sample"] }
    }
    func manager(_ manager: BaseAPIManager, didCall requestID: RequestID, with params: Params) {
        numbers.append(requestID)
    }
}

nonisolated enum Stage: String, Sendable { case mock, live }

/// One with a dependency and environments of its own.
final class StagedService: EnvironmentService {
    let environment = EnvironmentSwitch(Stage.live)
    let configuration: ServiceConfiguration
    convenience init() { self.init(cookies: CookieJar()) }
    init(cookies: CookieJar) {
        configuration = ServiceConfiguration(cookies: cookies, paramPrecedence: .service)
    }
    func endpoint(in stage: Stage) -> ServiceEndpoint {
        ServiceEndpoint(
            baseURL: URL(string: "https://\(stage.rawValue).example.com")!, keys: ["sign": SigningKey("s")])
    }
    func userMessage(for error: APIError, languages: [String]) -> String {
        UserMessages.standard.adding("fr", [.other: "Erreur."]).message(for: error, in: languages)
    }
}

/// One with several hosts, and with trust and limits of its own.
final class ReplicatedService: Service {
    let baseURL = URL(string: "https://a.example.com")!
    let configuration = ServiceConfiguration(
        transport: PlatformTransport.make(tls: TLSPolicy(minimumVersion: .tls13)),
        failover: FailoverPolicy(to: [URL(string: "https://b.example.com")!], pause: 30),
        concurrencyLimit: 1)
    func priority(for call: APICall) -> CallPriority { call.requestType == .get ? .normal : .high }
}

final class PrefetchManager: APIManager<JSONValue> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "items"
    let requestType = HTTPMethod.get
    override var concurrencyLimit: Int? { 2 }
    override var priority: CallPriority? { .low }
}

final class LikeManager: APIManager<NoContent> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "items/{id}/likes"
    let requestType = HTTPMethod.post
    override var loadPolicy: LoadPolicy { .ignoreNew }
}

final class ItemListManager: PagedAPIManager<ItemPage> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "items"
    let requestType = HTTPMethod.get
    let paging = Paging.number(size: 2)
    override func reform(_ params: Params) -> Params { params.merging(["sort": Sort.newest]) }
}

/// A manager with an initializer of its own.
final class PhotoManager: APIManager<JSONValue> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "photos"
    let requestType = HTTPMethod.post
    private let photo: Data

    init(photo: Data) { self.photo = photo }

    override var encoding: (any ParamEncoding)? {
        .multipart([.data(photo, named: "photo", contentType: "image/jpeg")])
    }
}
