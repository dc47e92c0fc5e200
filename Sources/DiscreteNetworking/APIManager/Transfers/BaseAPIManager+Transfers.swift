extension BaseAPIManager {
    /// Stops the running transfers where they are: a download is no longer read, the file or stream of an
    /// upload no longer sent. Calls that start later are not paused, and answers that go into memory are
    /// not held up.
    ///
    /// A server may close the connection meanwhile. A download whose connection is lost that way goes on from where
    /// it was, once for each pause; an upload fails. Pausing again does nothing.
    public func pause() {
        for pending in state.running { pending.gate.close() }
    }

    /// Lets paused transfers go on. Nothing happens to those that were not.
    public func resume() {
        for pending in state.running { pending.gate.open() }
    }

    /// How far the calls of this manager come, from now on, for as long as it lives. Ask for it before a
    /// call starts. A slow reader misses values in between, never the newest.
    ///
    /// ```swift
    /// let progress = manager.progress
    /// Task { for await step in progress { bar.show(step.received, of: step.expectedToReceive) } }
    /// manager.loadData()
    /// ```
    public var progress: AsyncStream<TransferProgress> { progressListeners.stream() }

    /// Whether anybody would hear of progress; where nobody does, it is not even counted.
    var wantsProgress: Bool { onProgress != nil || progressDelegate != nil || progressListeners.count > 0 }

    func tell(_ progress: TransferProgress) {
        onProgress?(progress)
        progressDelegate?.manager(self, didMake: progress)
        progressListeners.send(progress)
    }
}
