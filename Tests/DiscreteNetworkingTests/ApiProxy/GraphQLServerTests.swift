#if os(macOS) || os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore

    /// Failures and partial data as a GraphQL server of somebody else's writes them (graphql-core).
    @MainActor
    final class GraphQLServerTests: XCTestCase {
        private struct Reply: Decodable, Sendable {
            struct Product: Decodable, Sendable {
                let name: String
                let price: Int?
            }
            let product: Product?
        }

        private static let program = """
            import json
            import graphql
            schema = graphql.build_schema('''
                type Product { name: String!  price: Int  stock: Int! }
                type Query { product(id: Int!): Product }
            ''')
            class Denied(graphql.GraphQLError):
                def __init__(self): super().__init__('没有权限', extensions={'code': 'FORBIDDEN'})
            class Product:
                name = '茶壶'
                def __init__(self, id): self.id = id
                def price(self, info):
                    if self.id == 2: raise Denied()
                    return 520
                def stock(self, info): raise Exception('the stock is down')
            class Root:
                def product(self, info, id):
                    if id == 404: raise Denied()
                    return Product(id)
            def answer(path, body):
                sent = json.loads(body)
                result = graphql.graphql_sync(schema, sent['query'], Root(), variable_values=sent.get('variables'))
                return 200, 'application/graphql-response+json; charset=utf-8', json.dumps(result.formatted).encode()
            """

        private static let isInstalled = (try? Tool.run("python3", ["-c", "import graphql"])) != nil

        private func manager(partial: Bool = false) async throws -> TestManager<Reply> {
            guard Self.isInstalled else { throw Tool.missing("pip install graphql-core") }
            let server = try sharedPython(Self.program)
            let manager = Stack(StandardTransport.make()) {
                $0.baseURL = server.baseURL
                $0.envelope = Envelope(
                    failure: "errors", code: "errors.0.extensions.code", message: "errors.0.message",
                    payload: "data", deliversPartialPayload: partial)
            }
            .manager(TestManager<Reply>())
            manager.requestType = .post
            return manager
        }

        private func params(_ id: Int, _ fields: String) -> Params {
            [
                "query": "query ($id: Int!) { product(id: $id) { \(fields) } }",
                "variables": ["id": id] as Params,
            ]
        }

        func testSuccessAndFailure() async throws {
            let manager = try await manager()
            let reply = try await manager.load(with: params(1, "name price"))
            XCTAssertEqual(reply.product?.price, 520)
            // The product may be null, so that the data is there: an object with a null.
            let denied = await failure(manager, with: params(404, "name"))
            XCTAssertEqual(denied?.kind, .business(code: "FORBIDDEN", message: "没有权限"))
            XCTAssertEqual(denied?.response?.isPartial, true)
            let half = await failure(manager, with: params(2, "name price"))
            XCTAssertEqual(half?.kind, .business(code: "FORBIDDEN", message: "没有权限"))
            XCTAssertEqual((half?.response?.output as? Reply)?.product?.name, "茶壶")
            let invalid = await failure(manager, with: params(1, "colour"))
            guard case .business(.null, let message?)? = invalid?.kind else {
                return XCTFail("\(String(describing: invalid))")
            }
            XCTAssertTrue(message.contains("Cannot query field 'colour'"), message)
            XCTAssertEqual(invalid?.response?.isPartial, false)
        }

        func testPartialDataIsDelivered() async throws {
            let manager = try await manager(partial: true)
            let half = try await manager.load(with: params(2, "name price"))
            XCTAssertEqual(half.product?.name, "茶壶")
            XCTAssertNil(half.product?.price)
            XCTAssertEqual(manager.response?.isPartial, true)
            XCTAssertEqual(manager.response?.businessCode, "FORBIDDEN")
            XCTAssertEqual(manager.response?.businessMessage, "没有权限")
            // A null where the schema has none makes the whole product null.
            let gone = try await manager.load(with: params(1, "name stock"))
            XCTAssertNil(gone.product)
            XCTAssertEqual(manager.response?.businessMessage, "the stock is down")
            let error = await failure(manager, with: params(1, "colour"))
            XCTAssertEqual(error?.response?.businessCode, .null)
        }
    }
#endif
