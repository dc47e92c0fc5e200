#if DEBUG
    import Foundation

    /// The order in which the framework's locks are taken. Checked in debug builds.
    ///
    /// Most locks are held alone. A lock that is held while another one is taken is listed in ``locks``, and so does the other
    /// one. Locks of the app are not checked.
    @usableFromInline
    package enum LockOrder {
        /// The outermost first: the file that creates the lock, and the type of its value.
        package static let locks = [
            "PartialFileRegistry: Optional<Writer>",
            "PendingCall: State",
            "PartialFile: Optional<Int32>",
            "TokenSession: Optional<EnvironmentParts<TokenSession>>",
            "TokenPersistence: ()",
            "ByteStream: State",
            "ServiceFactory: Dictionary<ServiceIdentifier, ServiceSlot>",
            "ServiceFactory: Dictionary<ObjectIdentifier, Worker>",
            "ServiceFactory: Optional<Result<ServiceInstance, ServiceCycle>>",
            "CSRFTokens: State",
            "TokenSession: SessionState",
            "DelayedWork: Optional<Token>",
            "JarPart: State",
            "CookiePersistence: CredentialStore",
            "TokenPersistence: CredentialStore",
            "TokenPersistence: Names",
            "MemoryStorage: Dictionary<String, MemoryCredentialStore>",
            "MemoryCredentialStore: Dictionary<String, Data>",
            "EnvironmentScope: Bool",
            "RenewalGraph: Dictionary<RenewalMark, Dictionary<RenewalMark, Int>>",
            "Deadlines: State",
            "EnvironmentSwitch: History",
            "UserEpoch: Optional<UserEpoch>",
            "UserEpoch: UserEpoch",
            "CacheChanges: State",
            "MemoryCache: LRUList<CacheKey, CachedResponse>",
            "RequestCoalescer: State",
            "SharedExchange: State",
            "ManagerState: Storage",
            "ManagerState: UInt64",
            "SystemReachability: State",
            "ReachabilityBroadcaster: Optional<NetworkPath>",
            "Broadcaster: Dictionary<UUID, Continuation>",
            "CassetteTransport: State",
            "StreamTap: State",
        ]

        private static let ranks = Dictionary(uniqueKeysWithValues: locks.enumerated().map { ($1, $0) })

        /// A lock that a thread holds.
        private struct Lock {
            let fileID: StaticString
            let type: Any.Type

            /// `nil` for a lock of the app.
            var name: String? { LockOrder.name("\(fileID)", type) }
        }

        package static func name(_ fileID: String, _ type: Any.Type) -> String? {
            let parts = fileID.split(separator: "/")
            guard parts.count == 2, isOurs(parts[0]) else { return nil }
            return "\(parts[1].dropLast(".swift".count)): \(type)"
        }

        /// By their names: a list of them would miss the next one.
        private static func isOurs(_ module: Substring) -> Bool {
            module.hasPrefix("DiscreteNetworking") && !module.hasSuffix("Tests")
        }

        /// The locks that a thread holds, the latest last.
        private final class Held {
            var locks: [Lock] = []
        }

        private static let key = {
            var key = pthread_key_t()
            pthread_key_create(&key) { held in
                // Optional on Linux only.
                let held: UnsafeMutableRawPointer? = held
                if let held { Unmanaged<Held>.fromOpaque(held).release() }
            }
            return key
        }()

        private static var held: Held {
            if let held = pthread_getspecific(key) {
                return Unmanaged<Held>.fromOpaque(held).takeUnretainedValue()
            }
            let held = Held()
            pthread_setspecific(key, Unmanaged.passRetained(held).toOpaque())
            return held
        }

        @usableFromInline
        static func willTake(_ fileID: StaticString, _ type: Any.Type) {
            let (held, lock) = (held, Lock(fileID: fileID, type: type))
            if let outer = held.locks.last?.name, let inner = lock.name,
                let violation = violation(outer, inner)
            {
                #if canImport(Darwin)
                    // The code for Apple's platforms may have locks that no test has taken.
                    FileHandle.standardError.write(Data("DiscreteNetworking: \(violation)\n".utf8))
                #else
                    assertionFailure(violation)
                #endif
            }
            held.locks.append(lock)
        }

        @usableFromInline
        static func didRelease() { held.locks.removeLast() }

        /// Returns why a lock may not be taken inside another one; `nil` if it may.
        package static func violation(_ outer: String, _ inner: String) -> String? {
            guard let first = ranks[outer], let second = ranks[inner], first < second else {
                return
                    "\(inner) is locked inside \(outer), and LockOrder does not have the two in this order."
            }
            return nil
        }
    }
#endif
