import DiscreteNetworking
import Foundation
import LoopbackServer

/// The small JSON document that is fetched.
struct Item: Decodable, Sendable {
    let id: Int
    let name: String
    let price: Double
    let tags: [String]
}

extension ServiceIdentifier { static let shop: Self = "shop" }

final class ShopService: Service {
    static let base = Locked(URL(string: "http://127.0.0.1")!)
    var baseURL: URL { Self.base.current }
}

final class ItemManager: APIManager<Item> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "item"
    let requestType = HTTPMethod.get
}

/// Fifty thousand of them.
final class CatalogManager: APIManager<[Item]> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "catalog"
    let requestType = HTTPMethod.get
}

final class MegabyteManager: APIManager<Data> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "megabyte"
    let requestType = HTTPMethod.get
}

final class SinkManager: APIManager<NoContent> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "sink"
    let requestType = HTTPMethod.post
    override var encoding: (any ParamEncoding)? {
        .raw(Measurement.megabyte, contentType: "application/octet-stream")
    }
}

enum Shop {
    static let document = Data(
        #"{"id":7,"name":"青花瓷茶壶","price":128.5,"tags":["tea","blue","jingdezhen"],"stock":12}"#.utf8)

    /// What a workload decodes.
    static func document(of workload: Workload) -> Data {
        switch workload {
        case .decodeSmall: Data(#"{"id":7,"name":"teapot","price":128.5,"tags":["a","blue"]}"#.utf8)
        case .decodeMedium: catalog(of: 45)
        case .decodeLarge: catalog(of: 450)
        case .tenMegabyteJSON: catalog(of: 50_000)
        default: document
        }
    }

    /// Some 220 bytes an item.
    private static func catalog(of count: Int) -> Data {
        let text = String(repeating: "blue and white porcelain, ", count: 4)
        let items = (0..<count).map { number in
            #"{"id":\#(number),"name":"\#(text)","price":128.5,"tags":["tea","blue","jingdezhen"],"stock":12,"seller":"瓷器店 \#(number % 100)"}"#
        }
        return Data("[\(items.joined(separator: ","))]".utf8)
    }

    /// Serves until standard input ends, in a process of its own, so that its work is not ours.
    static func serve(largeBody size: Int) throws {
        let server = try LoopbackServer(routes: [
            .get("/item") { _ in .data(document) },
            .get("/megabyte") { _ in LoopbackResponse(body: .generated(count: 1 << 20)) },
            .get("/large") { _ in LoopbackResponse(body: .generated(count: size)) },
            .post("/sink") { _ in .status(200) },
        ])
        FileHandle.standardOutput.write(Data("\(server.port)\n".utf8))
        while readLine() != nil {}
        server.stop()
    }
}
