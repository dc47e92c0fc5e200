import DiscreteNetworking
import Foundation

// A screen: param source and delegate of several managers.

struct PriceTag: APIManagerReformer {
    func reform(_ manager: BaseAPIManager) -> String {
        switch manager {
        case let manager as ItemManager: manager.output?.name ?? "-"
        default: "-"
        }
    }
}

@MainActor
final class ItemScreen: APIManagerParamSource, APIManagerDelegate {
    let item = ItemManager()
    let list = ItemListManager()
    private(set) var shown: [String] = []

    init() {
        for manager in [item, list] as [BaseAPIManager] {
            manager.paramSource = self
            manager.delegate = self
        }
    }

    func appear() {
        item.loadData()
        list.loadFirstPage()
    }

    func like() {
        LikeManager().loadOnce(with: ["id": 7])
        item.loadData(with: ["id": 8]) { [weak self] result in
            switch result {
            case .success(let item): self?.shown.append(item.name)
            case .failure(let error): self?.shown.append(error.localizedDescription)
            }
        }
    }

    func params(for manager: BaseAPIManager) -> Params {
        switch manager {
        case item: ["id": 7, "tags": ["a", "b"]]
        default: ["q": nil as String?]
        }
    }

    func managerDidSucceed(_ manager: BaseAPIManager) {
        switch manager {
        case item: shown.append(item.fetchData(with: PriceTag()))
        case list: shown.append("\(list.items.count) items")
        default: break
        }
    }

    func managerDidFail(_ manager: BaseAPIManager) { shown.append("failed") }

    func reload() async throws -> [Item] {
        let (item, page) = try await APIGroup(item, list).load()
        return [item] + page.items
    }
}
