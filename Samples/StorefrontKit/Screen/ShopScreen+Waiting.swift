import DiscreteNetworking

extension ShopScreen {
    /// Stops watching an order for which a prefetched and a tapped look wait.
    /// - Returns: Which of the two is sent then.
    func stopWatching(_ watching: RequestID) async -> String {
        let events = EventStream()
        let observer = orderStatus.proxy.addObserver(events)
        defer { orderStatus.proxy.removeObserver(observer) }
        let looks = ["prefetched": CallPriority.low, "tapped": .high].sorted { $0.value < $1.value }
        var managers: [OrderStatusManager] = []
        for (name, priority) in looks {
            let manager = OrderStatusManager(priority)
            manager.proxy = orderStatus.proxy
            manager.tag = RequestTag(rawValue: name)
            manager.loadData(with: params(for: orderStatus))
            managers.append(manager)
            _ = await events.first {
                switch $0.kind {
                case .waiting(.otherCalls), .finished: true
                default: false
                }
            }
        }
        guard managers.allSatisfy(\.isLoading) else { return "missing" }
        orderStatus.cancelRequest(watching)
        let sent = await events.first { if case .sent = $0.kind { true } else { false } }
        for manager in managers { manager.cancelAllRequests() }
        return sent?.call.tag?.rawValue ?? "missing"
    }
}

/// What observers are told, one after the other.
private struct EventStream: APICallObserver {
    private let stream: AsyncStream<APICallEvent>
    private let continuation: AsyncStream<APICallEvent>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func observe(_ event: APICallEvent) { continuation.yield(event) }

    func first(where isMeant: @Sendable (APICallEvent) -> Bool) async -> APICallEvent? {
        for await event in stream where isMeant(event) { return event }
        return nil
    }
}
