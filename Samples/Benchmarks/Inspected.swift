import DiscreteNetworking
import DiscreteNetworkingInspector
import Dispatch
import Foundation

/// A thousand calls a second with an inspector, until the process is ended; `.ci/inspector-cost` measures what they cost.
enum Inspected {
    @MainActor
    static func run() async throws {
        ServiceFactory.shared.register([.shop: ShopService.self])
        ApiProxy.shared = ApiProxy(transport: InMemoryTransport())
        let inspector = try Inspector(observing: .shared) { line in
            FileHandle.standardOutput.write(Data("\(line)\n".utf8))
        }
        let pause: UInt64 = 10_000_000
        var due = DispatchTime.now().uptimeNanoseconds
        while !Task.isCancelled {
            for _ in 0..<10 { _ = try await ItemManager().load() }
            due += pause
            let now = DispatchTime.now().uptimeNanoseconds
            if due > now { try await Task.sleep(nanoseconds: due - now) }
        }
        inspector.stop()
    }
}
