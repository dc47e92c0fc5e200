import Dispatch
import Foundation

/// Delays a response until a test opens the gate.
///
/// ```swift
/// let gate = LoopbackGate()
/// let server = try LoopbackServer { _ in .text("late").delayed(until: gate) }
/// // … start a request, check that the caller shows its spinner …
/// gate.open()
/// ```
///
/// A gate opens once and stays open. Stopping the server or disconnecting the client ends the wait.
public final class LoopbackGate: Sendable {
    private struct State: Sendable {
        var isOpen = false
        var lastKey = 0
        var watchers: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Locked(State())

    /// Creates a closed gate.
    public init() {}

    /// Whether `open()` was called.
    public var isOpen: Bool {
        state.withLock { $0.isOpen }
    }

    /// Opens the gate for all current and future waiters.
    public func open() {
        state.withLock { state in
            state.isOpen = true
            for watcher in state.watchers.values { watcher() }
            state.watchers = [:]
        }
    }

    /// Blocks the calling thread until the gate opens.
    ///
    /// Inside a server's handler it also returns when the client leaves or the server stops.
    public func wait() {
        if let socket = ServingThread.socket {
            _ = hold(socket)
            return
        }
        let semaphore = DispatchSemaphore(value: 0)
        guard let key = watch({ semaphore.signal() }) else { return }
        semaphore.wait()
        unwatch(key)
    }

    /// Waits on behalf of a connection; false when the client left or the server stopped first.
    func hold(_ socket: Socket) -> Bool {
        guard let pipe = try? WakePipe() else { return false }
        guard let key = watch({ pipe.wake() }) else { return true }
        defer { unwatch(key) }
        return socket.hold(until: pipe) == .woken
    }

    /// Has `watcher` called once at opening; nil when the gate is open already.
    private func watch(_ watcher: @escaping @Sendable () -> Void) -> Int? {
        state.withLock { state in
            guard !state.isOpen else { return nil }
            state.lastKey += 1
            state.watchers[state.lastKey] = watcher
            return state.lastKey
        }
    }

    private func unwatch(_ key: Int) {
        state.withLock { _ = $0.watchers.removeValue(forKey: key) }
    }
}
