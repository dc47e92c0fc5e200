import DiscreteNetworkingCore
import DiscreteNetworkingSupport
import Foundation

extension Outbox {
    /// Returns when nothing is in flight, and nothing can be sent now: what is left waits for a date, a user, an environment or the
    /// app.
    public func drain() async throws(OutboxError) {
        try await load()
        guard inFlight > 0 else { return }
        await withCheckedContinuation { idlers.append($0) }
    }

    // MARK: Turns

    /// Sends what can be sent now.
    func pump() {
        guard lock != nil else { return }
        let now = proxy.clock.now
        while inFlight < max(policy.lanes, 1), let id = change({ $0.next(at: now) }) { start(id) }
        schedule(after: now)
        guard inFlight == 0 else { return }
        let waiting = idlers
        idlers = []
        for idler in waiting { idler.resume() }
    }

    /// Tries again what waits for a user or an environment, and what other processes have left.
    package func wake() { wake { _ in false } }

    /// Does the same after a login. Its notification may come late, after an entry was sent and rejected with its tokens.
    func wakeAfterLogin() {
        wake { [self] in session(of: $0.record)?.loginAndSubject.logins != $0.rejectedLogin }
    }

    /// - Parameter isLoggedIn: Whether the login has come that an entry waits for.
    func wake(afterLogin isLoggedIn: (OutboxQueue.Item) -> Bool) {
        let latest = proxy.clock.now.addingTimeInterval(max(policy.cap, 86_400))
        change { $0.wake(afterLogin: isLoggedIn, latest: latest) }
        pump()
    }

    private func start(_ id: UUID) {
        guard let item = queue.items[id], let params = item.params,
            let manager = managers[item.record.manager]
        else {
            return block(id, .manager, because: OutboxWait.manager.text)
        }
        // Not longer than the app has had it: the clock may have been set meanwhile.
        let known = item.madeAt.map { proxy.clock.uptime - $0 } ?? .infinity
        guard min(proxy.clock.now.timeIntervalSince(item.record.created), known) < policy.age else {
            inFlight += 1
            let message = "The entry is older than \(policy.age) s, see OutboxPolicy.age."
            let failure = OutboxFailure(.age, message, at: proxy.clock.now)
            Task {
                await self.bury(id, failure)
                self.end()
            }
            return
        }
        inFlight += 1
        let files = urls(of: item.record)
        if let missing = files.first(where: { !FileManager.default.isReadableFile(atPath: $0.value.path) }) {
            let message =
                "The copy of the file \(missing.key.debugDescription) is not in the folder any more."
            let failure = OutboxFailure(.file, message, at: proxy.clock.now)
            Task {
                await self.bury(id, failure)
                self.end()
            }
            return
        }
        noteStage(of: id)
        listeners.send(.sending(entry(item)))
        let arrivals = Arrivals(
            logins: session(of: item.record)?.loginAndSubject.logins, networks: networks)
        Task {
            // Where another environment was the current one when it was made or read, nothing is shown of it yet.
            if manager.update != nil, shown[id] == nil { await showChanges(of: id) }
            let outcome = await manager.send(item.record, params, files, self.proxy)
            await self.settle(id, outcome, since: arrivals)
            self.end()
        }
    }

    private func end() {
        inFlight -= 1
        pump()
    }

    // MARK: Outcomes

    /// What had come before an entry was sent: what comes meanwhile is what it would wait for.
    private struct Arrivals {
        /// The number of logins and logouts of its session.
        let logins: Int?
        let networks: Int
    }

    private func settle(_ id: UUID, _ outcome: OutboxManager.SendOutcome, since arrivals: Arrivals) async {
        if case .failed(_, mayHaveActed: true) = outcome {
            change { $0.update(id) { $0.maybeSent = true } }
        }
        guard let item = queue.items[id] else { return }
        switch outcome {
        case .succeeded(let adopt):
            if let adopt { await self.adopt(adopt, after: id) }
            await finish(item)
        case .waits(let wait): block(id, wait, because: wait.text)
        case .failed(let error, _):
            switch FailureVerdict(error, maybeSent: item.maybeSent) {
            case .done: await finish(item)
            case .user:
                let now = session(of: item.record)?.loginAndSubject
                let needsLogin = now?.logins == arrivals.logins || now?.subject == nil
                let rejected = needsLogin ? now?.logins ?? 0 : nil
                change { $0.update(id) { $0.rejectedLogin = rejected } }
                block(id, .user, because: error.localizedDescription)
                if let rejected { holdBack(item.record, rejected, because: error.localizedDescription) }
            case .rejected: await bury(id, OutboxFailure(.rejected, error, at: proxy.clock.now))
            case .later(let counts, let lacksNetwork):
                await delay(id, error, counts: counts, lacksNetwork: lacksNetwork)
                if lacksNetwork, networks != arrivals.networks {
                    change { $0.update(id) { $0.noteNetwork() } }
                }
            }
        }
    }

    private func block(_ id: UUID, _ wait: OutboxWait, because reason: String) {
        change { $0.update(id) { $0.phase = .blocked(wait) } }
        noteStage(of: id)
        if let item = queue.items[id] { listeners.send(.delayed(entry(item), reason: reason)) }
    }

    /// Lets the entries with the same tokens as a rejected one wait for the same login: each try may ask the user.
    private func holdBack(_ rejected: EntryRecord, _ login: Int, because reason: String) {
        let session = managers[rejected.manager]?.session(proxy)
        guard session != nil, rejected.identity.user != nil else { return }
        let names = Set(managers.values.filter { $0.session(proxy) == session }.map(\.name))
        for (id, item) in queue.items
        where item.phase == .waiting && item.record.identity == rejected.identity
            && names.contains(item.record.manager)
        {
            change { $0.update(id) { $0.rejectedLogin = login } }
            block(id, .user, because: reason)
        }
    }

    private func finish(_ item: OutboxQueue.Item) async {
        let name = item.record.fileName
        do throws(CredentialStoreError) {
            try await store.remove([name])
        } catch {
            // Sent once: it is not sent again while the app runs, and later with the same key.
            unremoved.insert(name)
            listeners.send(.storageFailed(error))
        }
        if !unremoved.contains(name) { await removeFiles(of: item.record) }
        files[name] = nil
        sent += 1
        change { $0.remove(item.record.id) }
        await settleChanges(of: item.record.id, isConfirmed: true)
        listeners.send(.sent(entry(item)))
    }

    private func delay(_ id: UUID, _ error: APIError, counts: Bool, lacksNetwork: Bool) async {
        let now = proxy.clock.now
        guard var item = queue.items[id] else { return }
        let attempts = item.record.attempts + (counts ? 1 : 0)
        guard attempts < policy.attempts else {
            item.record.attempts = attempts
            change { $0.update(id) { [item] in $0.record = item.record } }
            return await bury(id, OutboxFailure(.attempts, error, at: now))
        }
        let asked = RetryAfter.seconds(in: error.response?.headers, now: now)
        item.failures += 1
        let seconds = policy.delay(
            after: max(attempts, item.failures), asked: asked, random: .random(in: 0..<1))
        item.record.attempts = attempts
        item.record.next = now.addingTimeInterval(seconds)
        item.lacksNetwork = lacksNetwork
        item.maybeSent = item.maybeSent || counts || error.kind == .cancelled
        item.phase = .waiting
        // The next start of the app tries at once what has not reached the server.
        if counts { await save(item) }
        change { $0.update(id) { [item] in $0 = item } }
        noteStage(of: id)
        listeners.send(.delayed(entry(item), reason: error.localizedDescription))
    }

    private func bury(_ id: UUID, _ failure: OutboxFailure) async {
        guard var item = queue.items[id] else { return }
        item.record.failure = failure
        item.record.next = nil
        item.phase = .dead
        await save(item)
        change { $0.update(id) { [item] in $0 = item } }
        await settleChanges(of: id, isConfirmed: false, mayHaveActed: item.maybeSent)
        listeners.send(.died(entry(item)))
    }

    /// Gives later entries of the lane the server's response.
    private func adopt(_ adopt: @Sendable (inout Params) -> Void, after id: UUID) async {
        var changed: [OutboxQueue.Item] = []
        for var item in queue.followers(of: id) {
            guard let manager = managers[item.record.manager], var params = item.params else { continue }
            adopt(&params)
            guard params != item.params, let content = try? content(of: params, manager) else { continue }
            item.params = params
            item.record.params = content
            item.record.version = manager.version
            changed.append(item)
        }
        guard !changed.isEmpty else { return }
        do throws(CredentialStoreError) {
            try await store.write(changed.map(\.record))
        } catch {
            listeners.send(.storageFailed(error))
        }
        for item in changed {
            change { $0.update(item.record.id) { $0 = item } }
            await showChanges(of: item.record.id, again: true)
        }
    }

    private func save(_ item: OutboxQueue.Item) async {
        do throws(CredentialStoreError) {
            try await store.write([item.record])
        } catch {
            listeners.send(.storageFailed(error))
        }
    }
}
