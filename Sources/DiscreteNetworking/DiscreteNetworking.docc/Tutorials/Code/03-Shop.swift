import DiscreteNetworking

@main
struct Shop {
    @MainActor
    static func main() async {
        ServiceFactory.shared.register([.shop: ShopService.self])
        do {
            let product = try await ProductManager().load(with: ["id": 7])
            print(product.name, product.price)
        } catch {
            print(error)
        }
    }
}
