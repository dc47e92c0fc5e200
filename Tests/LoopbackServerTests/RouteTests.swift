import Foundation
import LoopbackServer
import XCTest

final class RouteTests: XCTestCase {
    private func serve() throws -> (server: LoopbackServer, url: String) {
        let server = try LoopbackServer(routes: [
            .get("/products/new") { _ in .text("form") },
            .get("/products/{id}") { .text("get \($0.pathParameters["id"] ?? "?")") },
            .put("/products/{id}") { .text("put \($0.pathParameters["id"] ?? "?")") },
            .delete("/shops/{shop}/items/{item}") { request in
                .text("\(request.pathParameters["shop"] ?? "?") \(request.pathParameters["item"] ?? "?")")
            },
            .post("/orders") { _ in .json("{}", status: 201) },
            .patch("/orders") { _ in .status(204) },
            LoopbackRoute("PURGE", "/cache") { _ in .text("purged") },
        ])
        addTeardownBlock { server.stop() }
        return (server, server.baseURL.absoluteString)
    }

    func testTheFirstMatchingRouteResponds() throws {
        let (server, url) = try serve()
        XCTAssertEqual(try Curl.run("\(url)/products/new").text, "form")
        XCTAssertEqual(try Curl.run("\(url)/products/7?x=/a/b").text, "get 7")
        XCTAssertEqual(try Curl.run("\(url)/products/a%2Fb%20%C3%A9").text, "get a/b é")
        XCTAssertEqual(try Curl.run("-X", "PUT", "\(url)/products/7").text, "put 7")
        XCTAssertEqual(try Curl.run("-X", "DELETE", "\(url)/shops/1/items/2").text, "1 2")
        XCTAssertEqual(try Curl.run("-X", "PURGE", "\(url)/cache").text, "purged")
        XCTAssertEqual(try Curl.run("-w", "%{http_code}", "-d", "", "\(url)/orders").text, "{}201")
        XCTAssertEqual(try Curl.run("-w", "%{http_code}", "-X", "PATCH", "\(url)/orders").text, "204")
        XCTAssertEqual(server.requests[1].pathParameters, ["id": "7"])
    }

    func testTheGetRouteRespondsToHead() throws {
        let result = try Curl.run("-I", "\(try serve().url)/products/7")
        XCTAssertTrue(result.text.contains("Content-Length: 5\r\n"))
    }

    func testUnknownPathsAreNotFound() throws {
        let (server, url) = try serve()
        for path in ["/", "/products", "/products/", "/products/1/2", "/Products/1", "/orders/"] {
            let result = try Curl.run("-w", "\n%{http_code} %{content_type}", "\(url)\(path)")
            let lines = result.text.split(separator: "\n")
            XCTAssertEqual(lines.last, "404 application/json", path)
            let object = try JSONSerialization.jsonObject(with: Data(lines[0].utf8)) as? [String: String]
            XCTAssertEqual(object?["error"], "Not Found")
        }
        XCTAssertEqual(server.requests.count, 6)
    }

    func testOtherMethodsAreNotAllowed() throws {
        let (_, url) = try serve()
        let item = try Curl.run("-i", "-X", "POST", "\(url)/products/7")
        XCTAssertTrue(item.text.hasPrefix("HTTP/1.1 405 Method Not Allowed\r\n"))
        XCTAssertTrue(item.text.contains("Allow: GET, HEAD, PUT\r\n"))
        let orders = try Curl.run("-i", "\(url)/orders")
        XCTAssertTrue(orders.text.contains("Allow: PATCH, POST\r\n"))
    }
}
