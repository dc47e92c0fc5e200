import Foundation
import LoopbackServer

@testable import DiscreteNetworkingCookies
@testable import DiscreteNetworkingCore

/// A backend with CSRF tokens that belong to a session cookie, as Flask-WTF has them.
final class CSRFDesk: Sendable {
    struct Book: Sendable {
        /// The number of the token that is accepted.
        var valid = 1
        var fetches = 0
        var accepted = 0
        var rejected = 0
        /// The requests with a token header, whatever their method.
        var withToken: [String] = []
        /// Whether the token is the value of the cookie.
        var acceptsCookie = false
        /// Whether every token is rejected.
        var rejectsAll = false
        /// The status of a fetch.
        var fetchStatus = 200
        /// Holds the responses to fetches.
        var gate: LoopbackGate?
    }

    let book = Locked(Book())
    let server: LoopbackServer

    /// - Parameters:
    ///   - prefix: Begins each token.
    ///   - header: The header of the token.
    init(prefix: String = "proof", header: String = "X-CSRFToken") throws {
        let book = book
        server = try LoopbackServer { request in
            let sent = request.header(header)
            return book.withLock { book in
                if let sent { book.withToken.append("\(request.method) \(request.path) \(sent)") }
                if request.path == "/csrf" {
                    book.fetches += 1
                    var response = LoopbackResponse.json(
                        #"{"result":"\#(prefix)-\#(book.valid)"}"#, status: book.fetchStatus
                    ).adding("Set-Cookie", "session=\(book.valid); Path=/; HttpOnly")
                    response.delay = book.gate
                    return response
                }
                guard request.method != "GET" else { return .json(teapot) }
                let token = book.acceptsCookie ? "\(book.valid)" : "\(prefix)-\(book.valid)"
                guard !book.rejectsAll, sent == token,
                    request.header("Cookie")?.contains("session=\(book.valid)") == true
                else {
                    book.rejected += 1
                    return .json(
                        #"{"message":"400 Bad Request: The CSRF token is invalid.","sent":"\#(sent ?? "")"}"#,
                        status: 400)
                }
                book.accepted += 1
                return .json(teapot)
            }
        }
    }

    /// All tokens so far are rejected from now on.
    func rotate() { book.withLock { $0.valid += 1 } }

    /// A stack whose service has the desk's token endpoint.
    func stack(_ change: (inout TestService.Rules) -> Void = { _ in }) -> Stack {
        Stack(StandardTransport.make()) { rules in
            rules.baseURL = server.baseURL
            rules.cookies = CookieJar()
            rules.csrf = CSRFProtection(endpoint: "csrf", at: "result", header: "X-CSRFToken")
            change(&rules)
        }
    }
}

extension Stack {
    /// A manager with an unsafe method.
    @MainActor
    func poster(_ name: String = "orders", _ method: HTTPMethod = .post) -> ProductManager {
        let manager = manager(ProductManager())
        manager.methodName = name
        manager.requestType = method
        return manager
    }

    /// Makes calls at the same time.
    /// - Returns: The errors of those that failed.
    @MainActor
    func post(_ count: Int) async -> [APIError] {
        let managers = (0..<count).map { poster("orders/\($0)") }
        for manager in managers { manager.loadData(with: ["n": 1]) }
        await until { !managers.contains { $0.isLoading } }
        return managers.compactMap(\.error)
    }
}
