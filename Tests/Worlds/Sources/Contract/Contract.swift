import DiscreteNetworking
import Foundation

// The public surface as the design fixes it, word for word where it can be.

extension ServiceIdentifier { static let storefront: Self = "storefront" }

final class StorefrontService: Service {
    let token = Locked<String?>(nil)
    var baseURL: URL { URL(string: "https://api.example.com")! }
    var apiVersion: String? { "v3" }
    func extraParams(for call: APICall) -> Params { ["cid": "000001"] }
    func extraHeaders(for call: APICall) -> [String: String] {
        token.current.map { ["Authorization": "Bearer \($0)"] } ?? [:]
    }
    func intercept(_ failure: FailureContext) async -> FailureDisposition { .report }
}

struct Product: Decodable, Sendable {
    let id: Int
    let name: String
}

final class ProductManager: APIManager<Product> {
    let serviceIdentifier = ServiceIdentifier.storefront
    let methodName = "products/detail"
    let requestType = HTTPMethod.get
}

@MainActor final class ProductScreen: APIManagerParamSource, APIManagerDelegate {
    let manager = ProductManager()
    var told: (() -> Void)?
    init() {
        manager.paramSource = self
        manager.delegate = self
    }
    func appear() { manager.loadData() }
    func params(for manager: BaseAPIManager) -> Params {
        ["id": 7, "tags": ["a", "b"], "q": nil as String?]
    }
    func managerDidSucceed(_ manager: BaseAPIManager) {
        print(self.manager.output!.name)
        told?()
    }
    func managerDidFail(_ manager: BaseAPIManager) {
        print(manager.error!)
        told?()
    }
}

/// A manager that is everything itself.
final class SelfMadeManager: APIManager<JSONValue>, APIManagerParamSource, APIManagerValidator,
    APIManagerInterceptor
{
    let serviceIdentifier = ServiceIdentifier.storefront
    let methodName = "products/detail"
    let requestType = HTTPMethod.get
    func params(for manager: BaseAPIManager) -> Params { ["id": 9] }
    func validate(params: Params, for manager: BaseAPIManager) -> ValidationResult {
        params["id"] == nil ? .invalid(reason: "no id") : .valid
    }
    func manager(_ manager: BaseAPIManager, shouldCallWith params: Params) -> Bool { true }
}

struct Title: APIManagerReformer {
    func reform(_ manager: BaseAPIManager) -> String {
        (manager as? ProductManager)?.output?.name ?? "nothing"
    }
}

/// Answers every request with the URL it was asked for.
struct EchoTransport: Transport {
    func send(_ request: APIRequest) async throws -> TransportResponse {
        let body = #"{"id":7,"name":"\#(request.url.absoluteString)"}"#
        return TransportResponse(url: request.url, status: 200, body: .data(Data(body.utf8)))
    }
}

@main
struct Contract {
    @MainActor
    static func main() async throws {
        ServiceFactory.shared.register([.storefront: StorefrontService.self])
        let service = ServiceFactory.shared.service(for: .storefront) as? StorefrontService
        service?.token.current = "…"
        precondition(service?.token.withLock { $0 } == "…")
        ApiProxy.shared = ApiProxy(transport: EchoTransport())

        let product = try await ProductManager().load(with: ["id": 7])
        precondition(product.name == "https://api.example.com/v3/products/detail?cid=000001&id=7")

        let manager = ProductManager()
        await withCheckedContinuation { continuation in
            manager.loadData(with: ["id": 7]) { result in
                precondition((try? result.get().id) == 7)
                continuation.resume()
            }
        }
        precondition(manager.fetchData(with: Title()) == product.name)

        let screen = ProductScreen()
        await withCheckedContinuation { continuation in
            screen.told = { continuation.resume() }
            screen.appear()
        }
        precondition(screen.manager.output!.name.hasSuffix("?cid=000001&id=7&tags%5B%5D=a&tags%5B%5D=b"))
        precondition(screen.manager.response?.status == 200 && !screen.manager.isLoading)

        let untyped = try await SelfMadeManager().load()
        precondition(untyped["id"]?.int == 7)
        do throws(APIError) {
            _ = try await SelfMadeManager().load(with: [:])
            preconditionFailure("a refusal was expected")
        } catch {
            precondition(error.kind == .invalidParams(reason: "no id"))
        }

        let proxy = ApiProxy(transport: URLSessionTransport(), services: ServiceFactory())
        manager.proxy = proxy
        manager.validator = nil
        manager.interceptor = nil
        do throws(APIError) {
            _ = try await manager.load(with: ["id": 7])
            preconditionFailure("no service is registered there")
        } catch {
            precondition(error.kind == .serviceNotRegistered)
        }
        let requestID = manager.loadData(with: ["id": 7])
        manager.cancelRequest(requestID)
        manager.cancelAllRequests()
        print("The contract holds.")
    }
}
