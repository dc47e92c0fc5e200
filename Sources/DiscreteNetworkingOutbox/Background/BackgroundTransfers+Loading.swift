import DiscreteNetworkingCore
import DiscreteNetworkingHTTP
import Foundation

/// What earlier starts of the app have left.
extension BackgroundTransfers {
    /// Reads the transfers of earlier starts of the app, and compares them with the tasks of the system. An object does this when
    /// it is created, and before its first ``start(_:with:)``.
    /// - Throws: The error of the disk. The transfers stay where they are; call this again.
    public func load() async throws(BackgroundTransferError) {
        let task =
            loading
            ?? Task { () async -> Result<Void, BackgroundTransferError> in
                do throws(CredentialStoreError) {
                    try await self.readFolder()
                    return .success(())
                } catch {
                    self.listeners.send(.storageFailed(error))
                    return .failure(.storage(error))
                }
            }
        loading = task
        let result = await task.value
        if case .failure = result {
            // Another one may have begun since.
            if loading == task { loading = nil }
            schedule()
        }
        try result.get()
    }

    private func readFolder() async throws(CredentialStoreError) {
        let found = try await folder.records()
        // A result that is written after this is an event as well.
        let tasks = await session.tasks()
        var loaded: [UUID: Item] = [:]
        var areAllReadable = true
        for record in found {
            var item = item(of: record)
            if item.record.manager.isEmpty { areAllReadable = false }
            if let task = item.record.request?.task { item.result = await folder.result(of: task) }
            loaded[record.id] = item
        }
        await adopt(tasks, loaded)
        // The files of a record that cannot be read are not known.
        if areAllReadable { await folder.tidy(Set(loaded.values.compactMap { $0.record.request?.task })) }
        guard !isClosed else { return }
        let names = Set(tasks.compactMap(\.description))
        for (id, item) in loaded {
            if item.result == nil, let description = item.record.description, !names.contains(description) {
                suspects.insert(id)
            }
            change(id) { $0 = item }
            run(id)
        }
        isLoaded = true
        watchSuspects()
    }

    /// Cancels the tasks that no record names, and starts the tasks that were not started.
    private func adopt(_ tasks: [BackgroundTask], _ loaded: [UUID: Item]) async {
        for task in tasks {
            // Tasks without a description of ours are not ours.
            guard let description = task.description, let name = TaskName(description) else { continue }
            let item = loaded[name.transfer]
            // A record that cannot be read may name it.
            if let item, item.record.manager.isEmpty { continue }
            guard item?.record.request?.task == name.task else {
                await session.cancel(description)
                continue
            }
            if task.isSuspended { await session.resume(description) }
        }
    }

    /// Returns a record as a transfer, with its params in the current version.
    private func item(of found: BackgroundFolder.Found) -> Item {
        guard case .entry(let record) = found.content else {
            var item = Item(
                record: TransferRecord(
                    id: found.id, manager: "", version: 0,
                    identity: CallIdentity(user: nil, environment: nil), key: "", created: proxy.clock.now,
                    params: .plain("{}")))
            if case .newerVersion = found.content {
                item.wait = .newerVersion
            } else {
                let message =
                    "The record \(TransferRecord.fileName(found.id)) is damaged; it is kept until the transfer is canceled."
                item.problem = OutboxFailure(.damaged, message, at: proxy.clock.now)
            }
            return item
        }
        var item = Item(record: record)
        guard let manager = managers[record.manager] else {
            if case .plain = record.params { item.params = try? record.params.opened(by: nil) }
            item.wait = .manager
            return item
        }
        guard record.version <= manager.version else {
            item.wait = .newerVersion
            return item
        }
        do {
            let params = try record.params.opened(by: manager.seal)
            item.params =
                record.version == manager.version ? params : try manager.migrate(params, record.version)
        } catch {
            let message =
                "The params of version \(record.version) cannot be opened or migrated: \(type(of: error))"
            item.problem = OutboxFailure(.params, message, at: proxy.clock.now)
        }
        return item
    }

    // MARK: Losses

    /// The seconds in which the system may still report a task that it does not list any more.
    private static var grace: TimeInterval { 10 }

    private func watchSuspects() {
        guard !suspects.isEmpty else { return }
        Task { [weak self, clock = proxy.clock] in
            guard (try? await clock.sleep(for: Self.grace)) != nil else { return }
            await self?.confirmLosses()
        }
    }

    /// Ends the transfers of which the system has neither a task nor an outcome.
    func confirmLosses() async {
        guard !suspects.isEmpty, !isClosed else { return }
        let names = Set(await session.tasks().compactMap(\.description))
        for id in suspects {
            guard let item = items[id], let request = item.record.request, item.result == nil,
                let description = item.record.description, !names.contains(description)
            else { continue }
            listeners.send(.lost(transfer(item)))
            let name = TaskName(transfer: id, task: request.task)
            let result = TaskResult(transfer: id, task: request.task, isLost: true)
            await arrived(name, result, resumeData: nil)
        }
        suspects = []
    }
}
