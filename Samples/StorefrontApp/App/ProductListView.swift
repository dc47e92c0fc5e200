#if canImport(UIKit)
    import DiscreteNetworking
    import SwiftUI

    /// The products, with SwiftUI. The manager is an `ObservableObject`: the list is drawn again when a page arrives.
    struct ProductListView: View {
        @StateObject private var manager = ProductListManager()

        var body: some View {
            List {
                ForEach(manager.items) { product in
                    NavigationLink {
                        ProductDetailView(product: product)
                    } label: {
                        HStack {
                            Text(product.name)
                            Spacer()
                            Text(product.priceText)
                        }
                    }
                }
                if let error = manager.error {
                    Text(error.userMessage)
                    Button("Try again") { manager.loadNextPage() }
                } else if manager.hasNextPage {
                    // With another identity for each page, so that it appears again.
                    ProgressView().id(manager.items.count).onAppear { manager.loadNextPage() }
                }
            }
            .navigationTitle("Products")
            .refreshable { _ = try? await manager.reload() }
        }
    }
#endif
