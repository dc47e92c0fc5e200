import Foundation

/// The state of a server: its requests, its connections and the tasks that wait for changes.
final class Ledger: Sendable {
    struct Book: Sendable {
        var requests: [LoopbackRequest] = []
        var open: [Int: Socket] = [:]
        /// The open connections of clients that are not trusted, the oldest first. Empty without a limit.
        fileprivate var untrusted: [Int] = []
        /// The open connections that had to make room, and are about to end.
        fileprivate var evicted: Set<Int> = []
        var accepted = 0
        /// The number of response bytes accepted by the system.
        var sent = 0
        /// The number of connections to clients that have stopped reading.
        var stalled = 0
        var isStopped = false
        fileprivate var waiters: [Int: Waiter] = [:]
        fileprivate var lastWaiter = 0
        fileprivate var cancelled: Set<Int> = []
    }

    fileprivate struct Waiter: Sendable {
        let condition: @Sendable (Book) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private static let waitLimit = 60

    private let book = Locked(Book())
    let rules: ServingRules

    init(_ rules: ServingRules) { self.rules = rules }

    /// How long a client may read nothing, in milliseconds; negative for no limit.
    var patience: Int32 { rules.patience.map { Int32(clamping: $0 * 1000) } ?? -1 }

    func read<Value>(_ body: (Book) -> Value) -> Value {
        book.withLock { body($0) }
    }

    /// Registers a connection and returns its number; `nil` if the server has stopped or has no room for it.
    func admit(_ socket: Socket) -> Int? {
        change { book in
            guard !book.isStopped, makeRoom(in: &book) else { return nil }
            book.accepted += 1
            book.open[book.accepted] = socket
            if rules.untrustedLimit != nil { book.untrusted.append(book.accepted) }
            return book.accepted
        }
    }

    /// Ends the oldest connection that is not trusted if there is no place for another one.
    /// - Returns: Whether there is a place.
    private func makeRoom(in book: inout Book) -> Bool {
        let isFull = book.open.count - book.evicted.count >= rules.connectionLimit
        guard isFull || book.untrusted.count >= rules.untrustedLimit ?? .max else { return true }
        // Those about to end need their threads until then.
        guard !book.untrusted.isEmpty, book.evicted.count < rules.connectionLimit else { return false }
        let oldest = book.untrusted.removeFirst()
        book.evicted.insert(oldest)
        book.open[oldest]?.sever()
        return true
    }

    /// Keeps the connection of a client that may use the server: it does not have to make room for others.
    func trust(_ number: Int) {
        if rules.untrustedLimit != nil { change { $0.untrusted.removeAll { $0 == number } } }
    }

    /// Closes a connection. Under the lock, so that `stop` never severs a descriptor already used again.
    func retire(_ number: Int) {
        change { book in
            book.untrusted.removeAll { $0 == number }
            book.evicted.remove(number)
            book.open.removeValue(forKey: number)?.discard()
        }
    }

    func record(_ request: LoopbackRequest) {
        if rules.keepsRequests { change { $0.requests.append(request) } }
    }

    func count(sent: Int) {
        change { $0.sent += sent }
    }

    func count(stalled: Int) {
        change { $0.stalled += stalled }
    }

    /// Refuses new connections and wakes the threads of all others, which then retire them.
    func stop() {
        change { book in
            book.isStopped = true
            for socket in book.open.values { socket.sever() }
        }
    }

    /// Suspends until a condition is met, the server stops or the task is canceled; for at most a minute,
    /// which is then reported on standard error.
    func wait(for goal: String, until condition: @escaping @Sendable (Book) -> Bool) async {
        let key = book.withLock { book in
            book.lastWaiter += 1
            return book.lastWaiter
        }
        let timer = Task {
            try await Task.sleep(nanoseconds: UInt64(Self.waitLimit) * 1_000_000_000)
            guard let waiter = giveUp(key) else { return }
            let counts = read {
                "\($0.requests.count) requests, \($0.open.count) open connections, \($0.sent) bytes sent"
            }
            FileHandle.standardError.write(
                Data("LoopbackServer: waited \(Self.waitLimit) s for \(goal); there were \(counts).\n".utf8))
            waiter.continuation.resume()
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = book.withLock { book in
                    if condition(book) || book.isStopped || book.cancelled.contains(key) { return true }
                    book.waiters[key] = Waiter(condition: condition, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            giveUp(key)?.continuation.resume()
        }
        timer.cancel()
        book.withLock { _ = $0.cancelled.remove(key) }
    }

    /// Removes a waiter, or prevents it from waiting.
    private func giveUp(_ key: Int) -> Waiter? {
        book.withLock { book in
            book.cancelled.insert(key)
            return book.waiters.removeValue(forKey: key)
        }
    }

    /// Modifies the state. Then wakes each waiter if its condition is met, outside the lock.
    private func change<Result>(_ body: (inout Book) -> Result) -> Result {
        let (result, due) = book.withLock { book in
            let result = body(&book)
            guard !book.waiters.isEmpty else { return (result, [Waiter]()) }
            let keys = book.waiters.filter { book.isStopped || $0.value.condition(book) }.map(\.key)
            return (result, keys.compactMap { book.waiters.removeValue(forKey: $0) })
        }
        for waiter in due { waiter.continuation.resume() }
        return result
    }
}
