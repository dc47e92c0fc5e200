import DiscreteNetworking
import Foundation
import LoopbackServer

/// What both sides fetch: the same small JSON document over the same kind of session.
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

enum Shop {
    static let document = Data(
        #"{"id":7,"name":"青花瓷茶壶","price":128.5,"tags":["tea","blue","jingdezhen"],"stock":12}"#.utf8)

    /// Serves until standard input ends, in a process of its own, so that its work is not ours.
    static func serve() throws {
        let server = try LoopbackServer(routes: [
            .get("/item") { _ in .data(document) }
        ])
        FileHandle.standardOutput.write(Data("\(server.port)\n".utf8))
        while readLine() != nil {}
        server.stop()
    }
}

/// The server process.
final class ShopProcess {
    private let process = Process()
    private let input = Pipe()
    let baseURL: URL

    init() throws {
        let output = Pipe()
        process.executableURL = Bundle.main.executableURL
        process.arguments = ["--serve"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) {
            line += byte
        }
        guard let port = Int(String(decoding: line, as: UTF8.self)) else {
            throw CocoaError(.fileReadUnknown)
        }
        baseURL = URL(string: "http://127.0.0.1:\(port)")!
    }

    func stop() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
