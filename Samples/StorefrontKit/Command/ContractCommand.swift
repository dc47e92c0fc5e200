import DiscreteNetworking
import DiscreteNetworkingContracts
import Foundation
import LoopbackServer

/// The contracts of the shop as a command. Without `--base-url` it checks the backend built in, which drifts
/// when asked to.
public enum ContractCommand {
    /// - Returns: the exit status; see ``ContractCheck``.
    @MainActor
    public static func run(_ arguments: [String], console: Console) async -> Int32 {
        // As the check reads its own options, `--name=value` is two arguments.
        var arguments = arguments.flatMap {
            $0.hasPrefix("--drift=") ? ["--drift", String($0.dropFirst("--drift=".count))] : [$0]
        }
        var drift: ShopDrift?
        let names = ShopDrift.allCases.map(\.rawValue).joined(separator: ", ")
        if let index = arguments.firstIndex(of: "--drift") {
            let name = arguments.dropFirst(index + 1).first
            guard let known = name.flatMap(ShopDrift.init(rawValue:)) else {
                console.error("error: --drift needs one of \(names).")
                return 64  // EX_USAGE of sysexits.h
            }
            drift = known
            arguments.removeSubrange(index...(index + 1))
        }
        guard !arguments.contains("--help"), !arguments.contains("-h") else {
            let status = await check.run(arguments, out: console.out, error: console.error)
            if status == 0 {
                console.out(
                    "  --drift NAME        change the backend built in:\n                      \(names)")
            }
            return status
        }
        if !arguments.contains(where: { $0.hasPrefix("--contracts") }) {
            arguments += ["--contracts", "Samples/ContractCheck/Contracts"]
        }
        guard !arguments.contains(where: { $0.hasPrefix("--base-url") }) else {
            return await check.run(arguments, out: console.out, error: console.error)
        }
        do {
            let server = try ShopBackend(drift: drift).start()
            defer { server.stop() }
            let builtIn = ["--base-url", server.baseURL.absoluteString]
            return await check.run(arguments + builtIn, out: console.out, error: console.error)
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
