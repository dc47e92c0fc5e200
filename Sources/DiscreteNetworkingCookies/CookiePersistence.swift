import DiscreteNetworkingCore
import Foundation

/// Reads and writes the cookies of a jar in a ``CredentialStore``.
final class CookiePersistence: Sendable {
    /// The queue for disk access, so that no cooperative thread blocks.
    let queue = DiskQueue("CookieJar")
    private let place: Locked<any CredentialStore>
    private var store: any CredentialStore { place.current }
    private let base: String
    private let keyInUse: Locked<String>
    private var key: String { keyInUse.current }
    private let now: @Sendable () -> Date
    private let onFailure: (@Sendable (CredentialStoreError) -> Void)?
    /// The failure that was reported last, until an access succeeds.
    private let reported = Locked<CredentialStoreError?>(nil)

    init(
        store: any CredentialStore, key: String, now: @escaping @Sendable () -> Date,
        onFailure: (@Sendable (CredentialStoreError) -> Void)?
    ) {
        place = Locked(MemoryStorage.current?.replacement(for: store) ?? store)
        base = key
        keyInUse = Locked(key)
        self.now = now
        self.onFailure = onFailure
    }

    /// Stores the cookies in memory from now on.
    /// - Returns: `false` if it does so already.
    func move(to storage: MemoryStorage) -> Bool {
        place.withLock { place in
            guard !(place is MemoryCredentialStore) else { return false }
            place = storage.replacement(for: place)
            return true
        }
    }

    /// Whether the cookies are stored in memory.
    var isInMemory: Bool { store is MemoryCredentialStore }

    /// Stores the cookies under the name of an environment from now on.
    func move(to environment: String) { keyInUse.current = key(in: environment) }

    /// Returns the same for another environment.
    func neighbor(in environment: String) -> CookiePersistence {
        CookiePersistence(store: store, key: key(in: environment), now: now, onFailure: onFailure)
    }

    private func key(in environment: String) -> String { "\(base)@\(environment)" }

    /// - Returns: `nil` if nothing is stored.
    func read() throws(CredentialStoreError) -> CookieFile? {
        guard let data = try store.read(key) else { return nil }
        let decoder = JSONDecoder()
        if let now = CookieFile.now { decoder.userInfo[now] = self.now() }
        do {
            return try decoder.decode(CookieFile.self, fromUntrusted: data)
        } catch is CookieFile.NewerVersion {
            throw CredentialStoreError(
                .newerVersion,
                message:
                    "The stored cookies were written by a newer version of DiscreteNetworking; update the program, or remove them."
            )
        } catch {
            throw CredentialStoreError(
                .damaged, message: "The stored cookies cannot be decoded; log in again.")
        }
    }

    /// Writes cookies; without any, all data is removed.
    func write(_ file: CookieFile) throws(CredentialStoreError) {
        // Encoding fails only for a date that no calendar can represent.
        if !file.cookies.isEmpty, let data = try? JSONEncoder().encode(file) {
            try store.write(data, for: key)
        } else {
            try store.remove(key)
        }
    }

    /// Runs a closure that no other process runs at the same time, if the store has locks across processes.
    func alone<Value>(_ work: () throws(CredentialStoreError) -> Value) throws(CredentialStoreError) -> Value
    {
        // The holder accesses a disk, not a server.
        for _ in 0..<10_000 {
            if let lock = try store.tryLock(key) {
                defer { lock.release() }
                return try work()
            }
            usleep(1000)
        }
        throw CredentialStoreError(
            .busy,
            message: "Another process has held the lock of the stored cookies for 10 s; try again later.")
    }

    /// Reports the result of an access, a failure that repeats itself only once.
    func report(_ failure: CredentialStoreError?) {
        let isNew = reported.withLock { reported in
            defer { reported = failure }
            return reported != failure
        }
        if isNew, let failure { onFailure?(failure) }
    }
}
