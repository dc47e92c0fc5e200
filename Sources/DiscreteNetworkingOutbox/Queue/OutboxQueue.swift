import DiscreteNetworkingCore
import Foundation

/// The entries of an outbox in memory, and which of them may be sent now. A value without a clock, a disk or a network.
struct OutboxQueue {
    /// Entries of one lane and one identity are sent one after the other.
    struct LaneKey: Hashable {
        let name: String
        let identity: CallIdentity
    }

    struct Item {
        var record: EntryRecord
        /// `nil` if they cannot be read.
        var params: Params?
        var phase: Phase
        /// Whether the last failure was a missing network, so that a network is a reason to try again at once.
        var lacksNetwork = false
        /// The number of logins of its session when it was rejected. It waits for a further one, and is not tried before: each try
        /// may ask the user. `nil` if it does not wait for a login.
        var rejectedLogin: Int?
        /// All failures in this start of the app, also failures that do not count.
        var failures = 0
        /// When it was made, by the clock's uptime; `nil` if that was in an earlier start of the app.
        var madeAt: TimeInterval?
        /// Whether a request may have reached the server, in this start of the app or in an earlier one.
        var maybeSent: Bool

        /// A network has come: it is tried at once.
        mutating func noteNetwork() {
            lacksNetwork = false
            failures = 0
            record.next = nil
        }
    }

    enum Phase: Equatable {
        case waiting
        /// Waits for what only the app, the user or another version of the app can change.
        case blocked(OutboxWait)
        case sending
        case dead
    }

    private struct Lane {
        /// The entries that are not dead, in their order, from `first` on.
        var ids: [UUID] = []
        var first = 0
        var isReady = false

        var head: UUID? { first < ids.count ? ids[first] : nil }
    }

    private(set) var items: [UUID: Item] = [:]
    /// The number of entries that are not dead.
    private(set) var liveCount = 0
    /// The entries that wait for a user or an environment, and may be tried at any time.
    private(set) var blocked: Set<UUID> = []
    private var waitingForLogin: Set<UUID> = []
    private var dead: Set<UUID> = []
    private var lanes: [LaneKey: Lane] = [:]
    /// The lanes that may have a sendable head, in the order in which their heads became sendable.
    private var ready: [LaneKey] = []
    private var nextReady = 0

    // MARK: Entries

    mutating func insert(_ item: Item) {
        let record = item.record
        items[record.id] = item
        note(item)
        guard item.phase != .dead else { return }
        let key = Self.lane(of: record)
        var lane = lanes[key] ?? Lane()
        var place = lane.ids.count
        // An entry that another process made earlier comes after the one that is in flight.
        while place > lane.first, isAfter(lane.ids[place - 1], record),
            items[lane.ids[place - 1]]?.phase != .sending
        {
            place -= 1
        }
        lane.ids.insert(record.id, at: place)
        liveCount += 1
        lanes[key] = lane
        makeReady(key)
    }

    mutating func removeAll() { self = OutboxQueue() }

    mutating func remove(_ id: UUID) {
        guard let item = items.removeValue(forKey: id) else { return }
        blocked.remove(id)
        waitingForLogin.remove(id)
        dead.remove(id)
        leaveLane(item.record)
    }

    /// Changes an entry; a dead one leaves its lane, and one that is no longer dead returns to its place.
    mutating func update(_ id: UUID, _ change: (inout Item) -> Void) {
        guard var item = items[id] else { return }
        let old = item.phase
        change(&item)
        items[id] = item
        note(item)
        switch (old, item.phase) {
        case (.dead, .dead): break
        case (_, .dead): leaveLane(item.record)
        case (.dead, _): insert(item)
        case (.sending, _):
            // Another process may have made an earlier entry meanwhile.
            leaveLane(item.record)
            insert(item)
        default: makeReady(Self.lane(of: item.record))
        }
        checkInvariants()
    }

    private mutating func note(_ item: Item) {
        noteDue(item)
        let id = item.record.id
        blocked.remove(id)
        waitingForLogin.remove(id)
        if item.phase == .dead { dead.insert(id) } else { dead.remove(id) }
        guard item.phase == .blocked(.user) || item.phase == .blocked(.environment) else { return }
        if item.rejectedLogin == nil { blocked.insert(id) } else { waitingForLogin.insert(id) }
    }

    /// The entries of the same lane that come later, in their order, dead ones last.
    func followers(of id: UUID) -> [Item] {
        guard let record = items[id]?.record, let lane = lanes[Self.lane(of: record)] else { return [] }
        let others = dead.compactMap { items[$0] }.filter {
            Self.lane(of: $0.record) == Self.lane(of: record)
        }
        return (lane.ids[lane.first...].compactMap { items[$0] } + others)
            .filter { $0.record.number > record.number }
    }

    // MARK: Turns

    /// Returns the next entry to send, and marks it as being sent; `nil` if there is none now.
    mutating func next(at now: Date) -> UUID? {
        while nextReady < ready.count {
            let key = ready[nextReady]
            nextReady += 1
            lanes[key]?.isReady = false
            guard let id = lanes[key]?.head, items[id]?.phase == .waiting else { continue }
            if let date = items[id]?.record.next, date > now { continue }
            items[id]?.phase = .sending
            checkInvariants()
            return id
        }
        ready.removeAll(keepingCapacity: true)
        nextReady = 0
        return nil
    }

    /// Looks at all lanes again, after time has passed.
    /// - Parameters:
    ///   - isLoggedIn: Whether the login has come that an entry waits for.
    ///   - latest: No delay ends later than this, unless the clock was set back.
    mutating func wake(
        afterLogin isLoggedIn: (Item) -> Bool = { _ in false }, latest: Date = .distantFuture
    ) {
        for id in blocked.union(waitingForLogin.filter { items[$0].map(isLoggedIn) == true }) {
            update(id) {
                $0.phase = .waiting
                $0.rejectedLogin = nil
            }
        }
        due = nil
        for (key, lane) in lanes {
            if let id = lane.head, let next = items[id]?.record.next, next > latest {
                items[id]?.record.next = nil
            }
            makeReady(key)
            if let item = lane.head.flatMap({ items[$0] }) { noteDue(item) }
        }
    }

    /// A date before which no entry may be sent that waits only for one; `nil` if there is none. Exact after ``wake(afterLogin:)``:
    /// to look at all lanes for each entry would take quadratic time.
    private(set) var due: Date?

    private mutating func noteDue(_ item: Item) {
        guard item.phase == .waiting, let next = item.record.next else { return }
        due = min(due ?? next, next)
    }

    private mutating func makeReady(_ key: LaneKey) {
        guard let lane = lanes[key], !lane.isReady, let id = lane.head, items[id]?.phase == .waiting else {
            return
        }
        lanes[key]?.isReady = true
        ready.append(key)
    }

    private mutating func leaveLane(_ record: EntryRecord) {
        let key = Self.lane(of: record)
        guard var lane = lanes[key] else { return }
        lanes[key] = nil
        if lane.head == record.id {
            lane.first += 1
            liveCount -= 1
            if lane.first > 64, lane.first * 2 > lane.ids.count {
                lane.ids.removeFirst(lane.first)
                lane.first = 0
            }
        } else if let place = lane.ids[lane.first...].firstIndex(of: record.id) {
            lane.ids.remove(at: place)
            liveCount -= 1
        }
        guard lane.head != nil else { return }
        lanes[key] = lane
        makeReady(key)
    }

    private func isAfter(_ id: UUID, _ record: EntryRecord) -> Bool {
        guard let other = items[id]?.record else { return false }
        return (other.number, other.id.uuidString) > (record.number, record.id.uuidString)
    }

    private static func lane(of record: EntryRecord) -> LaneKey {
        LaneKey(name: record.lane, identity: record.identity)
    }

    // MARK: Invariants

    /// One entry of a lane is in flight at most, and it is the first.
    private func checkInvariants() {
        #if DEBUG
            guard items.count < 100 else { return }
            assert(liveCount == items.values.filter { $0.phase != .dead }.count)
            for lane in lanes.values {
                assert(lane.head != nil, "a lane without entries")
                for id in lane.ids[lane.first...].dropFirst() {
                    assert(items[id]?.phase != .sending, "an entry overtakes another of its lane")
                }
                for id in lane.ids[lane.first...] { assert(items[id]?.phase != .dead, "dead in a lane") }
            }
        #endif
    }
}
