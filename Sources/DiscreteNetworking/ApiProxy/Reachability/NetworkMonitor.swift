/// Monitors the network of a platform.
protocol NetworkMonitor: Sendable {
    /// Starts reporting whether the network is available, now and after each possible change, for the rest
    /// of the process.
    /// - Returns: Whether monitoring is supported; if not, poll ``isConnected()``.
    func start(_ tell: @escaping @Sendable (Bool) -> Void) -> Bool
    /// Returns whether the network is available; `nil` if unknown or only reported.
    func isConnected() -> Bool?
}
