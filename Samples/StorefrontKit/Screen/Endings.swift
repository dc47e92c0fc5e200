import DiscreteNetworking

/// Lets async code wait for what a delegate is told. A view would just redraw.
@MainActor
final class Endings {
    private var told: Set<RequestID> = []
    private var waiting: [RequestID: CheckedContinuation<Void, Never>] = [:]

    /// Returns once ``tell(_:)`` was called for the request, be it before or after.
    func wait(for requestID: RequestID) async {
        guard told.remove(requestID) == nil else { return }
        await withCheckedContinuation { waiting[requestID] = $0 }
    }

    func tell(_ requestID: RequestID?) {
        guard let requestID else { return }
        if let continuation = waiting.removeValue(forKey: requestID) {
            continuation.resume()
        } else {
            told.insert(requestID)
        }
    }
}
