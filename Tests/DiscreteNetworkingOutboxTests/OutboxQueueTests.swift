import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingOutbox

/// The turns of entries, compared with a model that looks at all of them each time.
final class OutboxQueueTests: XCTestCase {
    private func item(_ number: UInt64, _ lane: Int, _ user: Int) -> OutboxQueue.Item {
        let record = EntryRecord(
            id: UUID(), number: number, manager: "m", version: 1, lane: "\(lane)",
            identity: CallIdentity(user: "\(user)", environment: nil), key: "k", created: Date(),
            params: .plain("{}"))
        return OutboxQueue.Item(record: record, params: [:], phase: .waiting, maybeSent: false)
    }

    func testTurnsAreThoseOfAModel() {
        for seed in 0..<FullLength.rounds(20, of: 60) {
            var random = SeededRandom(seed: UInt64(seed))
            var queue = OutboxQueue()
            var now = Date(timeIntervalSince1970: 0)
            var number: UInt64 = 0
            /// The entries that the model would send now.
            func sendable() -> Set<UUID> {
                var heads: [OutboxQueue.LaneKey: OutboxQueue.Item] = [:]
                let busy = Set(
                    queue.items.values.filter { $0.phase == .sending }.map {
                        OutboxQueue.LaneKey(name: $0.record.lane, identity: $0.record.identity)
                    })
                for item in queue.items.values where item.phase != .dead {
                    let key = OutboxQueue.LaneKey(name: item.record.lane, identity: item.record.identity)
                    if heads[key].map({ $0.record.number > item.record.number }) ?? true { heads[key] = item }
                }
                return Set(
                    heads.filter {
                        !busy.contains($0.key) && $0.value.phase == .waiting
                            && ($0.value.record.next ?? now) <= now
                    }.map(\.value.record.id))
            }
            for _ in 0..<200 {
                switch Int.random(in: 0..<8, using: &random) {
                case 0...2:
                    // Entries of other processes may come late.
                    number += 2
                    let late: UInt64 =
                        number > 4 && Int.random(in: 0..<10, using: &random) == 0 ? 3 : 0
                    queue.insert(
                        item(
                            number - late,
                            Int.random(in: 0..<4, using: &random),
                            Int.random(in: 0..<2, using: &random)))
                case 3:
                    guard
                        let id = queue.items.keys.sorted(by: { $0.uuidString < $1.uuidString })
                            .randomElement(using: &random)
                    else { continue }
                    let phases: [OutboxQueue.Phase] = [.dead, .waiting, .blocked(.user)]
                    let phase = phases[Int.random(in: 0..<3, using: &random)]
                    if queue.items[id]?.phase == .sending { continue }
                    queue.update(id) { $0.phase = phase }
                case 4:
                    now += 10
                    queue.wake()
                    XCTAssertTrue(queue.blocked.isEmpty)
                    let all = queue.items.values.filter { $0.phase != .dead }
                    let lanes = Dictionary(grouping: all) {
                        OutboxQueue.LaneKey(name: $0.record.lane, identity: $0.record.identity)
                    }
                    let heads = lanes.values.filter { !$0.contains { $0.phase == .sending } }
                        .compactMap { $0.min { $0.record.number < $1.record.number } }
                    XCTAssertEqual(
                        queue.due, heads.filter { $0.phase == .waiting }.compactMap(\.record.next).min())
                case 5:
                    for (id, item) in queue.items where item.phase == .sending {
                        if Bool.random(using: &random) {
                            queue.remove(id)
                        } else {
                            queue.update(id) {
                                $0.phase = .waiting
                                $0.record.next = now + 15
                            }
                        }
                    }
                default:
                    let expected = sendable()
                    var found: Set<UUID> = []
                    while let id = queue.next(at: now) { found.insert(id) }
                    XCTAssertEqual(found, expected, "seed \(seed)")
                    if found != expected { return }
                }
            }
        }
    }

    /// An entry that waited for a login, and then for another environment, needs no further login.
    func testALoginIsNeededOnce() throws {
        var queue = OutboxQueue()
        let item = item(1, 0, 0)
        let id = item.record.id
        queue.insert(item)
        func block(_ wait: OutboxWait) {
            queue.update(id) { $0.phase = .blocked(wait) }
        }
        queue.update(id) { $0.rejectedLogin = 1 }
        block(.user)
        queue.wake()
        XCTAssertNil(queue.next(at: Date()))
        queue.wake(afterLogin: { $0.rejectedLogin != 1 })
        XCTAssertNil(queue.next(at: Date()))
        queue.wake(afterLogin: { $0.rejectedLogin == 1 })
        XCTAssertEqual(queue.next(at: Date()), id)
        block(.environment)
        queue.wake()
        XCTAssertEqual(queue.next(at: Date()), id)
    }

    func testTenThousandEntriesTakeLinearTime() {
        var queue = OutboxQueue()
        for number in 0..<20_000 { queue.insert(item(UInt64(number), number % 5000, 0)) }
        var turns = 0
        while let id = queue.next(at: Date()) {
            turns += 1
            queue.remove(id)
        }
        XCTAssertEqual(turns, 20_000)
        XCTAssertTrue(queue.items.isEmpty)
    }
}
