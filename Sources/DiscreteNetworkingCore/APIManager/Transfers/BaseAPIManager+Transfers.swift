extension BaseAPIManager {
    /// Pauses the transfers in flight.
    ///
    /// A download is no longer read, and the file or stream of an upload is no longer sent. Later calls, and responses
    /// held in memory, are not affected. Pausing a paused transfer has no effect.
    ///
    /// A server may close the connection during a pause. An upload then fails with the error of the connection. A
    /// download continues where it stopped, once for each pause, if it is a `GET` without a `Range` field and its
    /// response has a strong validator (RFC 9110 section 8.8.1): a strong `ETag`, or a `Last-Modified` before its
    /// `Date`. Without one, the download fails with the error of the connection. If its ``RetryPolicy`` retries it, it
    /// starts at the first byte.
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
