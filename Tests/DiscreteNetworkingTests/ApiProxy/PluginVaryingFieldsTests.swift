import DiscreteNetworkingCaching
import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCore

/// Fields that a plugin writes anew for each call, in the identity of requests.
@MainActor
final class PluginVaryingFieldsTests: XCTestCase {
    /// Writes a header and a param that no other request has.
    private struct TraceIDs: APIPlugin {
        func adapt(_ request: inout APIRequest, for call: APICall) {
            request.headers["X-Trace"] = UUID().uuidString
            let mark = request.url.query == nil ? "?" : "&"
            request.url = URL(string: "\(request.url.absoluteString)\(mark)trace=\(UUID().uuidString)")!
        }

        var varyingFields: VaryingFields { VaryingFields(headers: ["x-trace"], params: ["trace"]) }
    }

    private func stack(_ transport: any Transport, sharing: Bool = false) -> Stack {
        let stack = Stack(transport) { $0.sharing = sharing }
        stack.proxy.plugins = [TraceIDs()]
        return stack
    }

    private func checkCache(over transport: any Transport) async throws {
        let server = try serve { _ in .json(teapot) }
        let stack = stack(transport)
        stack.change { $0.baseURL = server.baseURL }
        let manager = stack.manager(keeping: .memory)
        for _ in 1...3 { _ = try await manager.load(with: ["id": 7]) }
        _ = try await manager.load(with: ["id": 8])
        XCTAssertEqual(server.requests.count, 2)
        XCTAssertEqual(Set(server.requests.map { $0.header("X-Trace") }).count, 2, "they are sent")
    }

    func testStoredResponsesAreUsedOverTheStandardTransport() async throws {
        try await checkCache(over: StandardTransport.make())
    }

    func testStoredResponsesAreUsedOverURLSession() async throws {
        try await checkCache(over: URLSessionTransport())
    }

    func testRequestsInFlightAreShared() async throws {
        let gate = Gate()
        let transport = ClosureTransport { request in
            await gate.pass()
            return TransportResponse(request, json: teapot)
        }
        let manager = stack(transport, sharing: true).manager(ProductManager())
        let joined = EventTests.Recorder()
        manager.proxy.addObserver(joined)
        let loads = (0..<5).map { _ in Task { try await manager.load(with: ["id": 7]) } }
        await until { joined.names.filter { $0 == "joined" }.count == 4 }
        gate.open()
        for load in loads { _ = try await load.value }
        XCTAssertEqual(gate.arrivals, 1)
    }

    /// A server that reads such a field says so with `Vary`.
    func testAResponseThatVariesWithTheFieldIsForItsRequestOnly() async throws {
        let manager = stack(ClosureTransport.counting(headers: ["Vary": "X-Trace"])).manager(keeping: .memory)
        var ids = [try await manager.load().id]
        ids.append(try await manager.load().id)
        XCTAssertEqual(ids, [1, 2])
    }

    /// Plugins take no part in a call to another origin, so that its fields of the same names count.
    func testAForeignOriginIsNotConcerned() async throws {
        let stack = stack(ClosureTransport.counting())
        let manager = stack.manager(keeping: .memory)
        var ids: [Int] = []
        for trace in ["1", "2", "1"] {
            let url = try XCTUnwrap(URL(string: "https://other.example.com/x?trace=\(trace)"))
            ids.append(try await manager.load(at: url).id)
        }
        XCTAssertEqual(ids, [1, 2, 1])
    }
}
