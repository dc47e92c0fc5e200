extension BaseAPIManager {
    /// Pauses the transfers in flight: a download is no longer read, and the file or stream of an upload no
    /// longer sent. Later calls and responses held in memory are not affected. Has no effect on a paused
    /// transfer.
    ///
    /// A server may close the connection meanwhile. A download whose connection is lost that way goes on from where
    /// it was, once for each pause; an upload fails. Pausing again does nothing.
    public func pause() {
        for pending in state.running { pending.gate.close() }
    }

    /// Resumes paused transfers.
    public func resume() {
        for pending in state.running { pending.gate.open() }
    }

    /// A new stream of progress updates of this manager's calls. Create it before a call starts. A slow
    /// reader misses intermediate values, never the latest.
    ///
    /// ```swift
    /// let progress = manager.progress
    /// Task {
    ///     for await step in progress {
    ///         bar.show(step.received, of: step.expectedToReceive)
    ///     }
    /// }
    /// manager.loadData()
    /// ```
    public var progress: AsyncStream<TransferProgress> { progressListeners.stream() }

    /// Whether progress is observed; if not, it is not measured.
    var wantsProgress: Bool {
        onProgress != nil || progressDelegate != nil || hasProgressListeners && progressListeners.count > 0
    }

    func tell(_ progress: TransferProgress) {
        onProgress?(progress)
        progressDelegate?.manager(self, didMake: progress)
        if hasProgressListeners { progressListeners.send(progress) }
    }
}
