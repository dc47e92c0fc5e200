/// What a platform knows of its network.
protocol NetworkMonitor: Sendable {
    /// Begins to tell whether the network is there, whenever that may have changed. Does so for the rest of the
    /// process.
    /// - Returns: whether it can; otherwise ``isConnected()`` has to be asked.
    func start(_ tell: @escaping @Sendable (Bool) -> Void) -> Bool
    /// Whether the network is there; `nil` where that is not known, or only told.
    func isConnected() -> Bool?
}
