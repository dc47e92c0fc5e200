import DiscreteNetworkingCore
import DiscreteNetworkingHTTP
import DiscreteNetworkingSupport
import Foundation

/// The calls of the transfers.
extension BackgroundTransfers {
    /// Makes the call of a transfer, unless it is being made.
    func run(_ id: UUID) {
        guard !isClosed, let item = items[id], item.call == nil, item.problem == nil, !item.isCancelled,
            let params = item.params, let manager = managers[item.record.manager]
        else { return }
        let carrier = BackgroundCarrier(id, self, begun: item.record.request?.request)
        let call = Task { [weak self, proxy, record = item.record] in
            let outcome = await manager.send(record, params, proxy, carrier)
            await self?.settle(id, outcome, carrier)
        }
        change(id) {
            $0?.wait = nil
            $0?.carrier = carrier
            $0?.call = call
        }
    }

    private func settle(
        _ id: UUID, _ outcome: BackgroundTransferManager.Outcome, _ carrier: BackgroundCarrier
    ) async {
        guard !isClosed, let item = items[id] else { return }
        defer { callHandlers() }
        switch outcome {
        case .waits(let wait): block(id, wait, because: wait.text)
        case .ended(nil): await finish(item, nil)
        case .ended(let error?):
            if item.isCancelled {
                change(id) { $0?.call = nil }
            } else if carrier.isInterim(error) {
                let verdict = FailureVerdict(error, maybeSent: true)
                block(id, verdict == .user ? .user : retry, because: error.localizedDescription)
            } else {
                await finish(item, error)
            }
        }
    }

    private func block(_ id: UUID, _ wait: OutboxWait, because reason: String) {
        change(id) {
            $0?.call = nil
            $0?.carrier = nil
            $0?.wait = wait
        }
        if let item = items[id] { listeners.send(.delayed(transfer(item), reason: reason)) }
        schedule()
    }

    /// The manager was notified.
    private func finish(_ item: Item, _ error: APIError?) async {
        await remove(item)
        var item = item
        item.wait = nil
        let transfer = transfer(item)
        guard let error, FailureVerdict(error, maybeSent: true) != .done else {
            await folder.keepResumeData(nil, item.record.resumeName)
            return listeners.send(.finished(transfer))
        }
        listeners.send(.failed(transfer, OutboxFailure(.rejected, error, at: proxy.clock.now)))
    }

    /// Removes a transfer, and its task if the system still has one.
    func remove(_ item: Item) async {
        let id = item.record.id
        if item.result == nil, let description = item.record.description {
            let resumeData = await session.cancel(description)
            if let resumeData { await folder.keepResumeData(resumeData, item.record.resumeName) }
        }
        do throws(CredentialStoreError) {
            try await folder.remove(id, task: item.record.request?.task)
        } catch {
            listeners.send(.storageFailed(error))
        }
        change(id) { $0 = nil }
    }

    // MARK: Requests

    /// Hands a request to the system.
    func begin(_ request: APIRequest, of id: UUID) async throws(TransportError) {
        guard let old = items[id], !isClosed, !Task.isCancelled else { throw .exchangeCancelled }
        let sent = TransferRecord.SentRequest(request, task: UUID())
        var record = old.record
        record.request = sent
        let name = TaskName(transfer: id, task: sent.task).text
        let (content, isResumed) = try await content(of: request, record, sent.task)
        do throws(TransportError) {
            try await session.make(BackgroundOrder(description: name, request: request, content: content))
            // If the process ends here, the system has a suspended task that no record names: it is canceled at the next start.
            do throws(CredentialStoreError) {
                try await folder.write(record)
            } catch {
                throw TransportError(
                    .bodyUnavailable, message: "The transfer cannot be written down: \(error)")
            }
            guard let now = items[id], !now.isCancelled, !isClosed, !Task.isCancelled else {
                throw .exchangeCancelled
            }
        } catch {
            await session.cancel(name)
            if items[id] != nil, !isClosed { try? await folder.write(old.record) }
            await folder.remove(task: sent.task)
            throw error
        }
        change(id) { [record] in
            $0?.record = record
            $0?.result = nil
        }
        receiver.observe(sent.task, request.onProgress)
        await session.resume(name)
        if isResumed { await folder.keepResumeData(nil, record.resumeName) }
        if let task = old.record.request?.task { await folder.remove(task: task) }
        if let item = items[id] { listeners.send(.handedOver(transfer(item))) }
        callHandlers()
    }

    /// Returns the content of a task, and whether it goes on with an earlier download.
    private func content(
        of request: APIRequest, _ record: TransferRecord, _ task: UUID
    ) async throws(TransportError) -> (BackgroundOrder.Content, Bool) {
        // Only uploads and downloads go on without the app: a call without a body downloads its response, whatever it is.
        guard request.body.isEmpty, request.method == .get else {
            return (.upload(try await folder.keep(request.body, of: task)), false)
        }
        if case .file = request.destination, let data = await folder.resumeData(record.resumeName) {
            return (.resume(data), true)
        }
        return (.download, false)
    }

    /// Waits until the system has reported how the task of a transfer ended.
    /// - Returns: `nil` if the call has ended meanwhile.
    func result(of id: UUID, _ request: APIRequest) async -> TaskResult? {
        guard let item = items[id], let task = item.record.request?.task, !isClosed else { return nil }
        if let result = item.result { return result }
        receiver.observe(task, request.onProgress)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled, items[id]?.waiter == nil else {
                    return continuation.resume(returning: nil)
                }
                change(id) { $0?.waiter = continuation }
            }
        } onCancel: {
            Task { @MainActor in
                let waiter = items[id]?.waiter
                change(id) { $0?.waiter = nil }
                waiter?.resume(returning: nil)
            }
        }
    }

    /// Takes how a task has ended.
    func arrived(_ name: TaskName, _ result: TaskResult, resumeData: Data?) async {
        guard let item = items[name.transfer] else {
            // The records cannot be read yet, as before the first unlock of the device: the result is in the folder.
            guard isLoaded else { return }
            // Canceled meanwhile.
            return await folder.remove(task: name.task)
        }
        guard item.record.request?.task == name.task else {
            if item.params != nil { await folder.remove(task: name.task) }
            return
        }
        if let resumeData { await folder.keepResumeData(resumeData, item.record.resumeName) }
        suspects.remove(name.transfer)
        change(name.transfer) { $0?.result = result }
        guard await isOfCurrentUser(item) else { return await suspend(name.transfer) }
        let waiter = items[name.transfer]?.waiter
        change(name.transfer) { $0?.waiter = nil }
        waiter?.resume(returning: result)
    }

    private func isOfCurrentUser(_ item: Item) async -> Bool {
        guard let manager = managers[item.record.manager] else { return true }
        return (try? await manager.moment(proxy).identity) == item.record.identity
    }

    /// Ends the call of a transfer. The outcome of the transfer then waits for its user. Nobody is notified.
    private func suspend(_ id: UUID) async {
        // A response that is being read has its user checked by the pipeline.
        guard let item = items[id], item.waiter != nil, let call = item.call else { return }
        call.cancel()
        await call.value
        // Finds out what it waits for.
        run(id)
    }

    /// Ends the calls of a user who has logged out; their tasks go on.
    private func suspendCalls() async {
        for (id, item) in items where item.call != nil && item.record.request != nil {
            if !(await isOfCurrentUser(item)) { await suspend(id) }
        }
    }

    // MARK: Waiting

    /// The seconds between two attempts of what waits for a user, an environment or fresh tokens.
    private static var recheck: TimeInterval { 30 }

    private var retry: OutboxWait { .retry(at: proxy.clock.now.addingTimeInterval(Self.recheck)) }

    func schedule() {
        guard timer == nil, !isClosed else { return }
        timer = Task { [weak self, clock = proxy.clock] in
            guard (try? await clock.sleep(for: Self.recheck)) != nil else { return }
            self?.timer = nil
            self?.wake()
        }
    }

    /// Tries again what waits.
    package func wake() {
        if !isLoaded { Task { [weak self] in try? await self?.load() } }
        for (id, item) in items {
            switch item.wait {
            case .user, .environment, .retry: run(id)
            default: continue
            }
        }
    }

    /// Observes the system, logins and the network.
    func observe() {
        let wake: @Sendable (TokenSession?) -> Void = { [weak self] _ in Task { @MainActor in self?.wake() } }
        logins.observe(.tokenSessionLoggedIn, wake)
        logins.observe(.tokenSessionRefreshed, wake)
        logins.observe(.tokenSessionStoreRead, wake)
        logins.observe(.tokenSessionLoggedOut) { [weak self] _ in
            Task { @MainActor in await self?.suspendCalls() }
        }
        reachability = Task { [weak self, changes = proxy.reachability.changes] in
            for await isConnected in changes where isConnected { self?.wake() }
        }
        reader = Task { [weak self, events = receiver.events] in
            // What is known before must be there first.
            try? await self?.load()
            for await event in events {
                guard let self, !self.isClosed else { return }
                await self.take(event)
            }
        }
    }

    private func take(_ event: BackgroundReceiver.Event) async {
        switch event {
        case .ended(let name, let result, let resumeData):
            await arrived(name, result, resumeData: resumeData)
        case .storageFailed(let error): listeners.send(.storageFailed(error))
        case .finishedEvents:
            await confirmLosses()
            areEventsReported = true
        }
        callHandlers()
    }

    /// Calls the system's handlers if all that it has reported is delivered.
    func callHandlers() {
        guard areEventsReported, !handlers.isEmpty, !isClosed,
            !items.values.contains(where: { $0.call != nil && $0.result != nil })
        else { return }
        let handlers = handlers
        self.handlers = []
        areEventsReported = false
        for handler in handlers { handler() }
    }
}
