import DiscreteNetworkingSigning
import Foundation
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// Which requests are the same for the caches and for the sharing of exchanges.
@MainActor
final class CacheIdentityTests: XCTestCase {
    /// A server that answers with all that it sees.
    private static let mirror = ClosureTransport { request in
        TransportResponse(
            request, json: #"{"id":1,"name":\#(JSONValue.string(seen(request)).canonicalText)}"#)
    }

    private nonisolated static func seen(_ request: APIRequest) -> String {
        var body = "none"
        if case .data(let data) = request.body { body = data.base64EncodedString() }
        var credential = "nobody"
        if case .digest(let user, let password)? = request.credential { credential = "\(user) \(password)" }
        let lines = request.headers.map { "\($0.name): \(Data($0.value.utf8).base64EncodedString())" }
        return ([request.method.rawValue, request.url.absoluteString, body, credential] + lines)
            .joined(separator: "\n")
    }

    /// One thing that a request may have, in a few forms that a server can tell apart.
    private typealias Choice = @MainActor (_ stack: Stack, _ manager: ProductManager, _ form: Int) -> Void

    private static let texts = ["é", "e\u{301}", "alice"]

    private static let choices: [Choice] = [
        { $1.requestType = [.get, .post, .put][$2] },
        { $1.methodName = ["me", "me/orders", "me%2Forders"][$2] },
        { $1.ownHeaders = ["X-Own": texts[$2]] },
        { $1.ownEncoding = [nil, .raw(Data("alice".utf8), contentType: "a/b"), .form][$2] },
        { stack, _, form in
            stack.change { rules in
                rules.baseURL = URL(
                    string: ["https://a.example.com", "https://a.example.com/v", "https://b.example.com"][
                        form])!
            }
        },
        { stack, _, form in stack.change { $0.extraParams = ["user": texts[form]] }
        },
        { stack, _, form in stack.change { $0.extraHeaders = ["X-JWT": texts[form]] } },
        { stack, _, form in
            let credential = [
                nil, HTTPCredential.digest(user: "alice", password: "a"),
                .digest(user: "alice", password: "b"),
            ][form]
            stack.change { $0.credential = credential }
        },
        { stack, _, form in
            stack.change { rules in
                rules.adapt = { request, _ in request.headers.append("Cookie", "session=\(form)") }
            }
        },
        { stack, _, form in
            stack.change { rules in
                rules.signer = FieldSigner(key: SigningKey("key \(form)"), place: .header("X-Sign"))
            }
        },
    ]

    private func differ(keeping policy: CachePolicy, sharing: Bool, seed: UInt64) async throws -> Int {
        var random = JSONRandom(seed: seed)
        let stack = Stack(Self.mirror) { $0.sharing = sharing }
        var hits = 0
        for round in 0..<400 {
            let manager = stack.manager(keeping: policy)
            // Near each other, so that each difference is met alone, too.
            for (number, choice) in Self.choices.enumerated() {
                choice(stack, manager, random.chance(25) || number == round % 10 ? random.below(3) : 0)
            }
            let params: Params = ["id": random.below(2)]
            let expected = Self.seen(try await manager.request(with: params))
            let product = try await manager.load(with: params)
            XCTAssertEqual(product.name, expected, "seed \(seed), round \(round)")
            if manager.response?.isFromCache == true { hits += 1 }
        }
        return hits
    }

    func testRequestsThatDifferInAnythingThatAServerSeesShareNoEntry() async throws {
        for seed in 0..<UInt64(FullLength.rounds(1, of: 5)) {
            let hits = try await differ(keeping: .memory, sharing: false, seed: seed)
            XCTAssertGreaterThan(hits, 20, "equal requests do share")
        }
    }

    func testNorDoTheyShareAnExchange() async throws {
        let changes: [@MainActor (Stack, ProductManager, Int) -> Void] = [
            { stack, _, form in
                stack.change { rules in
                    rules.credential = .digest(user: ["alice", "bob"][form], password: "secret")
                }
            },
            { $1.ownHeaders = ["X-Token": Self.texts[$2]] },
        ]
        for change in changes {
            let gate = Gate()
            let transport = ClosureTransport { request in
                await gate.pass()
                return try await Self.mirror.send(request)
            }
            let stack = Stack(transport) { $0.sharing = true }
            var loads: [Task<Product, any Error>] = []
            var expected: [String] = []
            for form in 0...1 {
                let manager = stack.manager(ProductManager())
                change(stack, manager, form)
                expected.append(Self.seen(try await manager.request(with: [:])))
                let sent = Observed(stack.proxy)
                loads.append(Task { try await manager.load(with: [:]) })
                await sent.count(1)
            }
            for _ in 0..<200 { await Task.yield() }
            gate.open()
            for (load, expected) in zip(loads, expected) {
                let product = try await load.value
                XCTAssertEqual(product.name, expected)
            }
            XCTAssertEqual(gate.arrivals, 2)
        }
    }

    func testServicesWithOneURLShareNoEntry() async throws {
        let stack = Stack(ClosureTransport.counting())
        stack.proxy.services.register([.other: { TestService() }])
        var ids: [Int] = []
        for service in [ServiceIdentifier.test, .other, .test, .other] {
            let manager = stack.manager(keeping: .memory)
            manager.serviceIdentifier = service
            ids.append(try await manager.load().id)
        }
        XCTAssertEqual(ids, [1, 2, 1, 2])
    }

    func testAnAnswerThatVariesWithEverythingIsNotKept() async throws {
        let stack = Stack(ClosureTransport.counting(headers: ["Vary": "Accept, *"]))
        let manager = stack.manager(keeping: .memory)
        var ids = [try await manager.load().id]
        ids.append(try await manager.load().id)
        XCTAssertEqual(ids, [1, 2])
    }

    // MARK: What varies

    private func stamped(
        _ transport: any Transport, sharing: Bool = false, method: HTTPMethod = .get,
        encoding: (any ParamEncoding)? = nil
    ) -> ProductManager {
        let stack = Stack(transport) { rules in
            rules.sharing = sharing
            rules.varying = VaryingFields(headers: ["x-request-id"], params: ["stamp"])
            rules.signer = HMACSigner(key: SigningKey("key"))
            rules.adapt = { request, _ in request.headers["X-Request-ID"] = UUID().uuidString }
        }
        let manager = stack.manager(keeping: .memory)
        manager.requestType = method
        manager.ownEncoding = encoding
        return manager
    }

    func testVaryingFieldsAreNoPartOfTheCacheKey() async throws {
        for (method, encoding) in [
            (.get, nil), (.post, nil), (.post, .form), (.post, .query),
        ] as [(HTTPMethod, (any ParamEncoding)?)] {
            let manager = stamped(ClosureTransport.counting(), method: method, encoding: encoding)
            var ids: [Int] = []
            for id in [7, 7, 8] {
                let params: Params = ["id": id, "stamp": UUID().uuidString]
                ids.append(try await manager.load(with: params).id)
            }
            XCTAssertEqual(ids, [1, 1, 2], "\(method)")
        }
    }

    func testNorDoesItForSharing() async throws {
        let gate = Gate()
        let manager = stamped(
            ClosureTransport { request in
                await gate.pass()
                return TransportResponse(request, json: teapot)
            }, sharing: true)
        manager.ownCache = .none
        let sent = Observed(manager.proxy)
        let loads = (0..<2).map { _ in Task { try await manager.load(with: [:]) } }
        await sent.count(2)
        for _ in 0..<200 { await Task.yield() }
        gate.open()
        for load in loads { _ = try await load.value }
        XCTAssertEqual(gate.arrivals, 1)
    }

    func testAnAnswerThatVariesWithItIsForThatRequestOnly() async throws {
        for (vary, expected) in [("Accept, x-request-ID", [1, 2]), ("Accept", [1, 1])] {
            let manager = stamped(ClosureTransport.counting(headers: ["Vary": vary]))
            var ids = [try await manager.load(with: [:]).id]
            ids.append(try await manager.load(with: [:]).id)
            XCTAssertEqual(ids, expected)
        }
    }

    func testAnotherSigningKeyIsAnotherRequest() async throws {
        let stack = Stack(ClosureTransport.counting())
        let manager = stack.manager(keeping: .memory)
        var ids: [Int] = []
        for key in ["alice", "bob", "alice"] {
            stack.change { $0.signer = HMACSigner(key: SigningKey(key)) }
            ids.append(try await manager.load().id)
        }
        XCTAssertEqual(ids, [1, 2, 1])
    }

    // MARK: The work is done once

    func testTheKeyIsWorkedOutOnce() async throws {
        let stack = Stack(ClosureTransport.counting())
        let identities = stack.service.identities
        for mode in [CachePolicy.Mode.cacheFirst, .networkFirst, .revalidate] {
            let manager = stack.manager(keeping: CachePolicy(mode))
            manager.methodName = "\(mode)"
            for _ in 1...2 {
                identities.current = 0
                _ = try await manager.load()
                XCTAssertEqual(identities.current, 1, "\(mode)")
            }
        }
    }

    func testARequestIsMadeOnceForTheKeyAndTheWire() async throws {
        let made = Locked(0)
        let stack = Stack(ClosureTransport.counting()) { rules in
            rules.adapt = { _, _ in made.withLock { $0 += 1 } }
        }
        let manager = stack.manager(keeping: .memory)
        _ = try await manager.load()
        XCTAssertEqual(made.current, 1)
        _ = try await manager.load()
        XCTAssertEqual(made.current, 2)
    }

    /// Counts how often it is decoded.
    private struct Counted: Decodable, Sendable {
        static let count = Locked(0)
        init(from decoder: any Decoder) throws { Self.count.withLock { $0 += 1 } }
    }

    func testARevalidatedAnswerIsDecodedOnce() async throws {
        let transport = ClosureTransport { request in
            let isKnown = request.headers["If-None-Match"] == "\"a\""
            return TransportResponse(
                url: request.url, status: isKnown ? 304 : 200, headers: ["ETag": "\"a\""],
                body: .data(isKnown ? Data() : Data("{}".utf8)))
        }
        let manager = Stack(transport).manager(TestManager<Counted>())
        manager.ownCache = CachePolicy(.revalidate)
        for _ in 1...2 {
            Counted.count.current = 0
            _ = try await manager.load()
            XCTAssertEqual(Counted.count.current, 1)
        }
        XCTAssertEqual(manager.response?.isFromCache, true)
    }
}
