import Foundation
import LoopbackServer
import XCTest

@testable import DiscreteNetworkingCaching
@testable import DiscreteNetworkingCore

/// Nothing of one environment reaches the server of another, whenever the app switches.
@MainActor
final class EnvironmentCrossingTests: XCTestCase {
    private struct Rig {
        let staging: StagedBackend
        let live: StagedBackend
        let service: StagedService
        let proxy: ApiProxy

        var crossings: [String] { staging.crossings + live.crossings }
    }

    private func rig(limit: Int? = nil, refreshGate: LoopbackGate? = nil) throws -> Rig {
        let staging = try StagedBackend(.staging, refreshGate: refreshGate)
        let live = try StagedBackend(.live)
        addTeardownBlock { for backend in [staging, live] { backend.stop() } }
        let service = StagedService(hosts: [.staging: staging.hosts, .live: live.hosts], limit: limit)
        let services = ServiceFactory()
        services.register([.test: { service }])
        let proxy = ApiProxy(
            transport: StandardTransport.make(), services: services, caches: CacheTiers(disk: NoCache()),
            reachability: ManualReachability())
        return Rig(staging: staging, live: live, service: service, proxy: proxy)
    }

    /// The number of calls. `ENVIRONMENT_CALLS=50000` runs the whole campaign.
    private var callCount: Int {
        ProcessInfo.processInfo.environment["ENVIRONMENT_CALLS"].flatMap { Int($0) }
            ?? FullLength.rounds(800, of: 2000)
    }

    func testNothingCrossesWhileTheAppTogglesTheEnvironment() async throws {
        let rig = try rig(limit: 24)
        let isOver = Locked(false)
        let toggling = Task.detached { [service = rig.service] in
            var number = 0
            while !isOver.current {
                number += 1
                service.environment.current = number.isMultiple(of: 2) ? .staging : .live
                if number.isMultiple(of: 3) { try? await Task.sleep(nanoseconds: 200_000) }
            }
        }
        let ports = [Stage.staging: rig.staging, .live: rig.live].mapValues {
            $0.hosts.compactMap(\.port)
        }
        var next = 0
        var outcomes = (succeeded: 0, failed: [String]())
        var wrongAnswers: [String] = []
        let workers = (0..<32).map { _ in
            Task { @MainActor in
                while next < callCount {
                    next += 1
                    let manager = StagedManager(
                        cache: next.isMultiple(of: 3) ? CachePolicy(.cacheFirst) : .none)
                    manager.proxy = rig.proxy
                    do {
                        let output = try await manager.load(with: ["number": next % 50])
                        outcomes.succeeded += 1
                        let port = manager.response?.url.port
                        if let stage = Stage(rawValue: output.stage), let port,
                            ports[stage]?.contains(port) != true
                        {
                            wrongAnswers.append("\(output.stage) from \(port)")
                        }
                    } catch {
                        outcomes.failed.append("\(error)")
                    }
                }
            }
        }
        for worker in workers { await worker.value }
        isOver.current = true
        await toggling.value
        XCTAssertEqual(Array(rig.crossings.prefix(5)), [], "\(rig.crossings.count) in all")
        XCTAssertEqual(wrongAnswers, [])
        XCTAssertEqual(outcomes.succeeded + outcomes.failed.count, callCount, "one outcome for each call")
        XCTAssertEqual(Array(outcomes.failed.prefix(3)), [], "\(outcomes.failed.count) in all")
        XCTAssertGreaterThan(rig.staging.refreshes, 0)
        XCTAssertGreaterThan(rig.live.refreshes, 0)
        XCTAssertEqual(rig.proxy.queue.count, 0)
    }

    func testACallThatWaitedForARefreshGoesToTheNewEnvironmentWithItsToken() async throws {
        let gate = LoopbackGate()
        let rig = try rig(refreshGate: gate)
        rig.service.environment.current = .staging
        rig.service.sessions[.staging]?.adopt(
            SessionTokens(
                accessToken: "staging-0", refreshToken: "staging-refresh",
                expiry: Date(timeIntervalSince1970: 0)))
        let manager = StagedManager()
        manager.proxy = rig.proxy
        let call = Task { try await manager.load(with: ["number": 1]) }
        await until { rig.staging.refreshes == 1 }
        XCTAssertEqual(rig.staging.requests, 1, "only the refresh: the call waits")
        rig.service.environment.current = .live
        gate.open()
        let output = try await call.value
        XCTAssertEqual(output.stage, "live")
        XCTAssertEqual(rig.crossings, [])
    }
}
