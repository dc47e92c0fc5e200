#if canImport(UIKit)
    import DiscreteNetworking
    import SwiftUI
    import UIKit

    /// The first page of the shop, with UIKit: the manager's delegate shows the response, and an alert a failure.
    final class HomeViewController: UITableViewController, APIManagerDelegate {
        private let manager = HomeManager()
        private var sections: [[String]] = []

        override func viewDidLoad() {
            super.viewDidLoad()
            title = "Home"
            tableView.register(UITableViewCell.self, forCellReuseIdentifier: "cell")
            refreshControl = UIRefreshControl()
            refreshControl?.addAction(UIAction { [weak self] _ in self?.load() }, for: .valueChanged)
            manager.delegate = self
            load()
        }

        private func load() { manager.loadData() }

        func managerDidSucceed(_ manager: BaseAPIManager) {
            refreshControl?.endRefreshing()
            guard let home = self.manager.output else { return }
            sections = [home.banners, home.categories]
            tableView.reloadData()
        }

        func managerDidFail(_ manager: BaseAPIManager) {
            refreshControl?.endRefreshing()
            guard let error = manager.error, error.kind != .cancelled else { return }
            let alert = UIAlertController(title: nil, message: error.userMessage, preferredStyle: .alert)
            alert.addAction(UIAlertAction(title: "OK", style: .default))
            present(alert, animated: true)
        }

        override func numberOfSections(in tableView: UITableView) -> Int { sections.count }

        override func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int {
            sections[section].count
        }

        override func tableView(
            _ tableView: UITableView, cellForRowAt indexPath: IndexPath
        ) -> UITableViewCell {
            let cell = tableView.dequeueReusableCell(withIdentifier: "cell", for: indexPath)
            cell.textLabel?.text = sections[indexPath.section][indexPath.row]
            return cell
        }
    }

    /// The view controller as a tab of SwiftUI.
    struct HomeTab: UIViewControllerRepresentable {
        func makeUIViewController(context: Context) -> UINavigationController {
            UINavigationController(rootViewController: HomeViewController(style: .insetGrouped))
        }

        func updateUIViewController(_ controller: UINavigationController, context: Context) {}
    }
#endif
