import DiscreteNetworking
import Foundation

/// Turns what two managers fetched into the lines that a view shows.
struct PriceReformer: APIManagerReformer {
    func reform(_ manager: BaseAPIManager) -> [String] {
        switch manager {
        case let list as ProductListManager:
            list.output?.products.map { "\($0.name)  \(Self.yuan($0.price))" } ?? []
        case let detail as ProductDetailManager:
            detail.output.map { ["\($0.name)  \(Self.yuan($0.price))  \($0.stock) in stock"] } ?? []
        default:
            []
        }
    }

    static func yuan(_ fen: Int) -> String {
        String(format: "¥%d.%02d", fen / 100, fen % 100)
    }
}
