#if canImport(UIKit)
    import DiscreteNetworking
    import SwiftUI

    /// A product. Adding it to the cart needs a login, which the session asks for by itself.
    struct ProductDetailView: View {
        let product: Product
        @StateObject private var detail = ProductDetailManager()
        @StateObject private var cart = AddToCartManager()

        var body: some View {
            Form {
                Text(product.priceText)
                if let stock = detail.output?.stock { Text("\(stock) in stock") }
                Button("Add to cart") { cart.loadData(with: ["productID": product.id, "quantity": 1]) }
                    .disabled(cart.isLoading)
                if let error = cart.error ?? detail.error {
                    Text(error.userMessage)
                } else if let count = cart.output?.count {
                    Text("\(count) in the cart")
                }
            }
            .navigationTitle(product.name)
            .task { detail.loadData(with: ["id": product.id]) }
        }
    }

    extension Product {
        /// The price in yuan.
        var priceText: String { String(format: "¥%d.%02d", price / 100, price % 100) }
    }
#endif
