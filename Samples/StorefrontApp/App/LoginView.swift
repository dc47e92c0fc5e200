#if canImport(UIKit)
    import SwiftUI

    /// Asks the user for name and password.
    struct LoginView: View {
        @ObservedObject var login: ShopLogin
        @State private var username = "小明"
        @State private var password = ""

        var body: some View {
            Form {
                TextField("Name", text: $username)
                SecureField("Password", text: $password)
                if let message = login.message { Text(message) }
                Button("Log in") {
                    Task { await login.submit(username: username, password: password) }
                }
                .disabled(password.isEmpty)
                Button("Cancel") { login.cancel() }
            }
        }
    }
#endif
