import DiscreteNetworkingCaching
import DiscreteNetworkingCore
import Foundation
import Testing

// An app that imports the core and one module above it, for stored responses.

extension ServiceIdentifier { static let library: Self = "library" }

final class LibraryService: Service {
    let baseURL = URL(string: "https://library.example.com")!
    let shelf = Shelf()
    var configuration: ServiceConfiguration { ServiceConfiguration(transport: shelf) }
}

nonisolated struct Book: Codable, Equatable, Sendable {
    var title: String
    var loans: Int
}

final class BookManager: APIManager<Book> {
    let serviceIdentifier = ServiceIdentifier.library
    let methodName = "book"
    let requestType = HTTPMethod.get

    override var cachePolicy: CachePolicy { CachePolicy(memory: 60, staleIfError: 600) }
}

final class LoanManager: APIManager<NoContent> {
    let serviceIdentifier = ServiceIdentifier.library
    let methodName = "loan"
    let requestType = HTTPMethod.post

    override func invalidates(with params: Params) -> [StaleOutput] { [StaleOutput(BookManager())] }
}

/// Lends its only book.
nonisolated final class Shelf: Transport {
    private let loans = Locked(0)

    func send(_ request: APIRequest) async throws -> TransportResponse {
        if request.method == .post { loans.withLock { $0 += 1 } }
        let body = request.method == .post ? "" : #"{"title": "Tides", "loans": \#(loans.current)}"#
        return TransportResponse(url: request.url, status: 200, body: .data(Data(body.utf8)))
    }
}

@MainActor
struct CachingTests {
    private let proxy = ApiProxy(services: ServiceFactory(), caches: CacheTiers(disk: MemoryCache()))

    init() { proxy.services.register([.library: LibraryService.self]) }

    private func made<Manager: BaseAPIManager>(_ manager: Manager) -> Manager {
        manager.proxy = proxy
        return manager
    }

    @Test func aStoredResponse() async throws {
        let manager = made(BookManager())
        #expect(try await manager.load() == Book(title: "Tides", loans: 0))
        #expect(manager.response?.isFromCache == false)
        _ = try await manager.load()
        #expect(manager.response?.isFromCache == true)
        #expect(try await manager.cache.output()?.title == "Tides")
        await proxy.caches.remove(.service(.library))
        #expect(try await manager.cache.output() == nil)
    }

    @Test func aStaleResponse() async throws {
        _ = try await made(BookManager()).load()
        try await made(LoanManager()).load()
        #expect(try await made(BookManager()).load().loans == 1)
    }

    @Test func anOptimisticChange() async throws {
        let book = made(BookManager())
        _ = try await book.load()
        try await made(LoanManager()).load { cache in cache.update(BookManager()) { $0.loans = 7 } }
        #expect(book.output?.loans == 0)
        _ = try await book.load()
        #expect(book.output?.loans == 1)
    }
}
