import DiscreteNetworking
import DiscreteNetworkingSigning
import DiscreteNetworkingTesting
import Foundation

extension ServiceIdentifier {
    static let shop: Self = "shop"
}

/// A backend with everything that a request is made of.
final class ShopService: Service {
    let configuration = ServiceConfiguration(session: TokenSession())
    let signsUnsorted = Locked(false)
    let dropsClient = Locked(false)

    var baseURL: URL { URL(string: "https://api.example.com")! }
    var apiVersion: String? { "v3" }
    func extraParams(for call: APICall) -> Params { ["cid": "000001"] }
    func extraHeaders(for call: APICall) -> [String: String] {
        dropsClient.current ? [:] : ["X-Client": "ios", "X-Nonce": UUID().uuidString]
    }
    func envelope(for call: APICall) -> Envelope? {
        Envelope(code: "code", success: [0], message: "msg", payload: "content")
    }
    func signer(for call: APICall) -> (any RequestSigner)? {
        call.methodName == "orders" ? ShopSigner(sorts: !signsUnsorted.current) : nil
    }
}

/// MD5 of the params, which have to be sorted, and a secret.
struct ShopSigner: RequestSigner {
    var sorts = true

    func sign(_ request: inout APIRequest, for call: APICall) throws {
        let names = sorts ? call.params.names : call.params.names.reversed()
        let line = names.map { "\($0)=\(call.params[$0] ?? .null)" }.joined(separator: "&")
        try SignatureLocation.header("X-Sign").write(
            MessageDigest(.md5, of: line + "spring-water").hexadecimal, into: &request)
    }
}

struct Product: Codable, Sendable, Equatable {
    let id: Int
    let name: String
}

final class ProductManager: APIManager<Product>, APIManagerValidator {
    let serviceIdentifier = ServiceIdentifier.shop
    var methodName = "products/{id}"
    var requestType = HTTPMethod.get
    var ownHeaders: [String: String] = [:]
    override var headers: [String: String] { ownHeaders }

    func validate(params: Params, for manager: BaseAPIManager) -> ValidationResult {
        params["id"] == "" ? .invalid(reason: "no id") : .valid
    }
}

final class OrderManager: APIManager<JSONValue> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "orders"
    let requestType = HTTPMethod.post
}

/// Its body comes piece by piece.
final class FeedManager: APIManager<ByteStream> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "feed"
    let requestType = HTTPMethod.get
}

/// One stack for one test.
@MainActor
struct ShopStack {
    let stubs: StubTransport
    let proxy: ApiProxy

    init(fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line) {
        stubs = StubTransport(fileID: fileID, file: file, line: line)
        proxy = ApiProxy(stubbing: stubs, [.shop: ShopService.self])
    }

    var service: ShopService { proxy.services.service(for: .shop) as! ShopService }

    func product() -> ProductManager {
        let manager = ProductManager()
        manager.proxy = proxy
        return manager
    }

    func order() -> OrderManager {
        let manager = OrderManager()
        manager.proxy = proxy
        return manager
    }

    /// What the backend answers for a product.
    static let teapot = StubAnswer.json(["code": 0, "msg": "", "content": ["id": 7, "name": "茶壶"]])
}
