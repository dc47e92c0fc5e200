/// Turns what a manager fetched into what a view shows.
///
/// ```swift
/// struct PriceTag: APIManagerReformer {
///     func reform(_ manager: BaseAPIManager) -> String {
///         switch manager {
///         case let manager as ProductManager: manager.output.map { "\($0.price) 元" } ?? ""
///         case let manager as CartManager: manager.output.map { "共 \($0.total) 元" } ?? ""
///         default: ""
///         }
///     }
/// }
/// label.text = manager.fetchData(with: PriceTag())
/// ```
@MainActor
public protocol APIManagerReformer<Reformed> {
    associatedtype Reformed
    /// One reformer may serve several managers, and tell them apart by their class.
    func reform(_ manager: BaseAPIManager) -> Reformed
}
