import DiscreteNetworking
import DiscreteNetworkingCommands
import DiscreteNetworkingContracts
import Foundation
import LoopbackServer

/// The contracts of the shop as a command. Without `--base-url` it checks the backend built in, which drifts
/// when asked to.
public enum ContractCommand {
    /// - Returns: the exit status; see ``ContractCheck``.
    @MainActor
    public static func run(_ arguments: [String], console: Console) async -> Int32 {
        var drift: ShopDrift?
        let names = ShopDrift.allCases.map(\.rawValue)
        let list = names.joined(separator: ", ")
        let added = CheckOptions.Added(
            "--drift",
            help: "  --drift NAME        change the backend built in:\n                      \(list)"
        ) { rest throws(UsageError) in
            let name = (try? rest.value()) ?? ""
            guard let known = ShopDrift(rawValue: name) else {
                throw UsageError("--drift needs one of \(list).\(NearName.hint(name, among: names))")
            }
            drift = known
        }
        let help = CheckOptions.help(adding: [added])
        var options: CheckOptions
        do {
            options = try CheckOptions(
                arguments, contracts: "Samples/ContractCheck/Contracts", adding: [added])
        } catch {
            console.error(error.report(help))
            return UsageError.status
        }
        if options.wantsHelp {
            console.out(help)
            return 0
        }
        let output = CheckOutput(
            out: console.out, error: console.error, hasColours: console.hasColours,
            progress: { if console.isTerminal { console.overwrite($0) } })
        guard options.baseURL == nil else { return await check.run(options, to: output) }
        do {
            let server = try ShopBackend(drift: drift).start()
            defer { server.stop() }
            options.baseURL = server.baseURL
            return await check.run(options, to: output)
        } catch {
            console.error("error: The built-in server does not start: \(error)")
            return 69  // EX_UNAVAILABLE
        }
    }

    @MainActor
    static var check: ContractCheck {
        ContractCheck(
            services: [.shop: ShopService.self, .map: MapService.self, .club: ClubService.self],
            managers: [
                .init(HomeManager()),
                .init(ProductListManager()),
                .init(ProductDetailManager(), samples: [["id": 1], ["id": 4]]),
                .init(DeliveryManager()),
                .init(AddToCartManager(), params: ["productID": 3, "quantity": 1]),
                .init(RegeoManager(), params: ["location": [121.47, 31.23]]),
                .init(ClubLoginManager(), params: ["username": "小红", "password": "longjing"]),
            ],
            prepare: { proxy in
                let login = LoginManager()
                login.proxy = proxy
                let session = try await login.load(with: ["username": "小红", "password": "longjing"])
                proxy.services.configuration(for: .shop)?.session?.adopt(session.tokens)
            })
    }
}
