import DiscreteNetworking
import Foundation
import LoopbackServer

extension ShopBackend {
    /// The big ones: a catalogue to download, and a place for pictures.
    var fileRoutes: [LoopbackRoute] {
        [
            .get("/api/v3/catalogue") { [catalogueRest] request in
                guard ReceivedParams(request).string("cid") == "000001" else {
                    return ShopAnswer.badParams("cid").response
                }
                var response = LoopbackResponse.file(
                    Self.catalogue, type: "application/pdf", etag: "\"2026-11\"", for: request)
                if response.status == 200 {
                    let (first, rest) = (
                        Self.catalogue.prefix(768 << 10), Self.catalogue.dropFirst(768 << 10)
                    )
                    response.body = .stream([.chunk(first), .wait(catalogueRest), .chunk(rest)])
                }
                return response
            },
            .post("/api/v3/reviews/{id}/pictures") { request in
                // A form says who calls like any other; that the shop reads it is enough here.
                guard request.body.count < 32 << 20 else { return ShopAnswer.badParams("picture").response }
                return ShopAnswer.content(["received": request.body.count]).response
            },
            .get("/api/v3/news") { request in
                let first = request.header("Last-Event-ID").flatMap { Int($0) } ?? 0
                guard first < Self.news.count else { return .status(204) }
                // Two at a time, so that a client has to come back.
                let events = Self.news.enumerated().dropFirst(first).prefix(2)
                    .map { "id: \($0 + 1)\ndata: \($1)\n\n" }
                return LoopbackResponse(
                    headers: [("Content-Type", "text/event-stream")],
                    body: .chunks([Data(("retry: 1\n\n" + events.joined()).utf8)]))
            },
        ]
    }

    /// 1 MB, the same each time.
    static let catalogue = LoopbackResponse.pattern(count: 1 << 20)

    private static let news = ["春茶上市", "紫砂壶补货", "全场包邮"]
}
