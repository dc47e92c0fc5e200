#if canImport(UIKit)
    import DiscreteNetworking
    import LoopbackServer
    import SwiftUI

    /// The shop as an app: a tab with UIKit, and one with SwiftUI. A call that needs a login shows the login screen.
    @main
    struct StorefrontApp: App {
        @StateObject private var login = Self.start()

        var body: some Scene {
            WindowGroup {
                TabView {
                    HomeTab().tabItem { Label("Home", systemImage: "house") }
                    NavigationView { ProductListView() }.tabItem {
                        Label("Products", systemImage: "list.bullet")
                    }
                }
                .sheet(isPresented: $login.isShown, onDismiss: { login.cancel() }) { LoginView(login: login) }
            }
        }

        /// Registers the services, once. An app with a backend of its own has no server here.
        private static func start() -> ShopLogin {
            backend = try? ShopBackend().start()
            ServiceFactory.shared.registerStorefront(at: backend?.baseURL)
            let login = ShopLogin()
            ServiceFactory.shared.configuration(for: .shop)?.session?.login = login
            return login
        }

        /// Serves until the app ends.
        private static var backend: LoopbackServer?
    }
#endif
