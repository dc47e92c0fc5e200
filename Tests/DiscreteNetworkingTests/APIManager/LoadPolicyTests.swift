import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Which calls `.ignoreNew` lets join the one in flight: those that would send the same.
@MainActor
final class LoadPolicyTests: XCTestCase {
    private let gate = Gate()

    /// Answers with the id it was asked for, once the gate is open.
    private func manager() -> ProductManager {
        let transport = ClosureTransport { [gate] request in
            await gate.pass()
            let id = request.url.lastPathComponent
            return TransportResponse(request, json: #"{"id":\#(id),"name":"\#(id)"}"#)
        }
        let manager = Stack(transport).manager(ProductManager())
        manager.policy = .ignoreNew
        manager.methodName = "products/{id}"
        return manager
    }

    func testOnlyAnEqualCallJoins() async {
        let manager = manager()
        let ids = Locked<[String: Int?]>([:])
        func load(_ name: String, _ id: Int, ignoringCache: Bool = false) -> RequestID {
            manager.loadData(with: ["id": id], ignoringCache: ignoringCache) { result in
                ids.withLock { $0[name] = .some(try? result.get().id) }
            }
        }
        let seven = load("7", 7)
        let eight = load("8", 8)
        XCTAssertEqual(load("7 again", 7), seven, "whichever is the newest")
        XCTAssertEqual(load("8 again", 8), eight)
        let anew = load("7 anew", 7, ignoringCache: true)
        guard Set([seven, eight, anew]).count == 3 else { return XCTFail("\(seven), \(eight), \(anew)") }
        await gate.arrival(3)
        gate.open()
        await until { ids.current.count == 5 }
        XCTAssertEqual(ids.current, ["7": 7, "8": 8, "7 again": 7, "8 again": 8, "7 anew": 7])
        XCTAssertEqual(gate.arrivals, 3)
    }

    func testACallThatWouldBeSentInAnotherWayDoesNotJoin() async {
        let manager = manager()
        func load() -> RequestID { manager.loadData(with: ["id": 7]) }
        let first = load()
        XCTAssertEqual(load(), first)
        let changes: [(ProductManager) -> Void] = [
            { $0.ownHeaders = ["Accept-Language": "de"] },
            { $0.methodName = "items/{id}" },
            { $0.requestType = .post },
            { $0.ownEncoding = .form },
            { $0.ownEncoding = .raw(Data("a".utf8), contentType: "text/plain") },
            { $0.ownEncoding = .raw(Data("b".utf8), contentType: "text/plain") },
            { $0.ownEncoding = OpaqueEncoding() },
        ]
        var numbers = [first]
        for change in changes {
            change(manager)
            numbers.append(load())
        }
        XCTAssertEqual(Set(numbers).count, numbers.count, "\(numbers)")
        XCTAssertNotEqual(load(), numbers.last, "what cannot be compared is not taken for equal")
        manager.cancelAllRequests()
        gate.open()
    }
}

private struct OpaqueEncoding: ParamEncoding {
    func encode(_ params: Params, into request: inout APIRequest) throws {}
}
