import DiscreteNetworking
import DiscreteNetworkingInspector

@main
struct Shop {
    @MainActor
    static func main() async {
        ServiceFactory.shared.register([.shop: ShopService.self])
        do {
            let inspector = try Inspector(observing: .shared)
            defer { inspector.stop() }
            let product = try? await ProductManager().load(with: ["id": 7])
            print(product?.name ?? "No product: see the inspector.")
            // The page is served until the program ends.
            _ = readLine()
        } catch {
            print(error)
        }
    }
}
