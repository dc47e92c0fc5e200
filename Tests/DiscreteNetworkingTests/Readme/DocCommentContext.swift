#if DOC_COMMENTS
    // The names that examples of doc comments take for granted. `DocCommentTests` compiles them together; nothing of it
    // runs. The example of `ServiceIdentifier` declares `storefront`.

    import DiscreteNetworking
    import DiscreteNetworkingContracts
    import DiscreteNetworkingInspector
    import DiscreteNetworkingOAuth
    import DiscreteNetworkingOutbox
    import DiscreteNetworkingSigning
    import DiscreteNetworkingTelemetry
    import DiscreteNetworkingTesting
    import Foundation
    import FoundationNetworking
    import LoopbackServer
    import XCTest

    // MARK: Services

    extension ServiceIdentifier {
        static let forge: Self = "forge"
        static let china: Self = "china"
        static let europe: Self = "europe"
        static let club: Self = "club"
    }

    final class StorefrontService: EnvironmentService {
        let token = Locked<String?>(nil)
        let environment = EnvironmentSwitch(ServiceEnvironment.release)
        func endpoint(in environment: ServiceEnvironment) -> ServiceEndpoint { fatalError() }
    }

    final class ClubService: Service {
        let baseURL = folder
        init() {}
        init(region: String) {}
    }

    // MARK: Outputs

    struct Product: Codable, Sendable, Identifiable {
        var id = 7
        var name = ""
        var sku = ""
        var price = Decimal()
    }

    struct Login: Codable, Sendable {
        let token, renewal: String
        let validUntil: Date
    }

    struct Cart: Codable, Sendable { let id, total: Int }
    struct Nonce: Codable, Sendable { let value: String }
    struct Order: Codable, Sendable { let isPaid: Bool }
    struct Post: Codable, Sendable { var isLiked: Bool }
    struct Problem: Codable, Sendable { let detail: String }
    struct ProductPage: APIPage { let items: [Product] }
    struct Repository: Codable, Sendable {}
    struct Invoice: Sendable { init(protobuf: Data) throws {} }

    struct User: Codable, Sendable {
        let id: Int
        let isMember: Bool
    }

    // MARK: Managers

    class Endpoint<Output: Decodable & Sendable>: APIManager<Output> {
        let serviceIdentifier = ServiceIdentifier.club
        let methodName = "example"
        let requestType = HTTPMethod.get
    }

    final class CartManager: Endpoint<Cart> {}
    final class HealthManager: Endpoint<NoContent> {}
    final class LikeManager: Endpoint<NoContent> {}
    final class LogManager: Endpoint<ByteStream> {}
    final class LoginManager: Endpoint<TokenResponse> {}
    final class MapManager: Endpoint<DownloadedFile> {}
    final class NewsManager: Endpoint<ByteStream> {}
    final class NonceManager: Endpoint<Nonce> {}
    final class OrderManager: Endpoint<Order> {}
    final class PhotoUploadManager: Endpoint<NoContent> { var photo: URL? }
    final class PostManager: Endpoint<Post> {}
    final class ProductManager: Endpoint<Product> {}
    final class RefreshManager: Endpoint<TokenResponse> {}
    final class ReportManager: Endpoint<DownloadedFile> {}
    final class SearchManager: Endpoint<[Product]> {}
    final class SendMessageManager: Endpoint<NoContent> {}
    final class TokenManager: Endpoint<NoContent> {}

    final class ProductListManager: PagedAPIManager<ProductPage> {
        let serviceIdentifier = ServiceIdentifier.club
        let methodName = "example"
        let requestType = HTTPMethod.get
        let paging = Paging.number(size: 20)
    }

    @MainActor let manager = ProductManager()
    @MainActor let managers = [manager]
    @MainActor let cartManager = CartManager()
    @MainActor let feedManager = SearchManager()
    @MainActor let orderManager = OrderManager()
    @MainActor let userManager = Endpoint<User>()

    // MARK: Views

    @MainActor final class View {
        var isHidden = false
        var text: String?
        func disappear() {}
        func show(_ received: Int64, of total: Int64?) {}
        func tapLike() {}
    }

    @MainActor let (badge, banner, bar, label, screen) = (View(), View(), View(), View(), View())

    func openBrowser(at url: URL) async throws -> URL { url }
    func presentLoginScreen() async -> Params? { nil }
    func record(_ name: String, _ seconds: TimeInterval, _ error: APIError?) {}
    func show<Value>(_ value: Value) {}
    func showRetry() {}

    // MARK: Other types of apps and of packages

    struct BodyCipher {
        func open(_ data: Data) throws -> Data { data }
        func seal(_ data: Data) throws -> Data { data }
    }

    struct OfflineCatalogue: APIPlugin {}
    struct FixedAddresses: HostResolver {
        func addresses(for host: String) async throws -> ResolvedAddresses { fatalError() }
    }

    struct PrintingExporter: SpanExporter { func export(_ span: TraceSpan) {} }

    struct XMLDecoder {
        func decode<Output: Decodable>(_ type: Output.Type, from data: Data) throws -> Output { fatalError() }
    }

    /// On Apple's platforms, it is in the library.
    struct KeychainCredentialStore: CredentialStore {
        init(service: String) {}
        func read(_ key: String) throws(CredentialStoreError) -> Data? { nil }
        func write(_ data: Data, for key: String) throws(CredentialStoreError) {}
        func remove(_ key: String) throws(CredentialStoreError) {}
    }

    // MARK: Values

    var album: any APIManagerDelegate { fatalError() }
    var body: Data { fatalError() }
    var cassette: any Transport { fatalError() }
    var charlesAuthority: URL { folder }
    var cipher: BodyCipher { BodyCipher() }
    var client: OAuthClient { fatalError() }
    var clock: TestClock { fatalError() }
    var credentials: AWSCredentials { fatalError() }
    @MainActor var csrf = CSRFProtection()
    var data: Data { fatalError() }
    var destination: URL { folder }
    var error: APIError { fatalError() }
    var event: APICallEvent { fatalError() }
    var failure: FailureContext { fatalError() }
    var file: URL { folder }
    var fixture: URL { folder }
    var folder: URL { fatalError() }
    var form: Params { [:] }
    var groupFolder: URL { folder }
    var header: String { "" }
    var json: JSONValue { .null }
    var login: Login { fatalError() }
    var loginFlow: any SessionLogin { fatalError() }
    var map: Data { fatalError() }
    var moreBodies: [JSONValue] { [] }
    var name: String { "" }
    var newBody: JSONValue { .null }
    var outbox: Outbox { fatalError() }
    @MainActor var params: Params = [:]
    var photo: URL { folder }
    var picture: Data { fatalError() }
    @MainActor var product = Product()
    var proxy: ApiProxy { fatalError() }
    var refreshToken: String { "" }
    @MainActor var request = APIRequest(url: url, method: .get)
    var response: APIResponse { fatalError() }
    var searchText: String? { nil }
    var secret: String { "" }
    var server: OAuthServer { fatalError() }
    var service: StorefrontService { fatalError() }
    var services: ServiceFactory { fatalError() }
    var session: TokenSession { fatalError() }
    var standardEnvelope: Envelope { .bare }
    var stateFolder: URL { folder }
    var stubs: StubTransport { fatalError() }
    var tokens: SessionTokens { fatalError() }
    var url: URL { fatalError() }
#endif
