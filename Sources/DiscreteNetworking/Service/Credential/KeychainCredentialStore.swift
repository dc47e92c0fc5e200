#if canImport(Security)
    import Foundation
    import Security

    /// Keeps credentials in the Keychain, as generic passwords.
    ///
    /// ```swift
    /// let store = KeychainCredentialStore(service: "com.example.shop")
    /// ```
    /// On iOS, what is in the Keychain outlives the app: one that is installed anew finds it again. On macOS it
    /// uses the data protection Keychain, for which the program has to be signed with an identity.
    public struct KeychainCredentialStore: CredentialStore {
        /// When a credential can be read.
        public enum Accessibility: Sendable, Hashable {
            /// While the device is unlocked.
            case whenUnlocked
            /// From the first unlocking after a start on: for apps that work in the background.
            case afterFirstUnlock
        }

        private let service: String
        private let accessGroup: String?
        private let accessibility: Accessibility

        /// - Parameters:
        ///   - service: tells the credentials of this store from others of the app, such as the app's
        ///     bundle identifier.
        ///   - accessGroup: the Keychain group that several apps share, with the team's prefix. Default: the first of the
        ///     program's own groups, and only that one: what another app of the team keeps under the same names in a
        ///     group that both share is neither read nor overwritten.
        ///   - accessibility: when it can be read. Credentials never leave the device, not even in a backup.
        public init(
            service: String, accessGroup: String? = nil, accessibility: Accessibility = .afterFirstUnlock
        ) {
            self.service = service
            self.accessGroup = accessGroup
            self.accessibility = accessibility
        }

        public func read(_ key: String) throws(CredentialStoreError) -> Data? {
            var query = try item(key)
            query[kSecReturnData as String] = true
            query[kSecMatchLimit as String] = kSecMatchLimitOne
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            if status == errSecItemNotFound { return nil }
            try check(status)
            guard let data = result as? Data else {
                throw CredentialStoreError(.damaged, message: "The Keychain's item holds no data.")
            }
            return data
        }

        public func write(_ data: Data, for key: String) throws(CredentialStoreError) {
            let new: [String: Any] = [
                kSecValueData as String: data, kSecAttrAccessible as String: accessibility.attribute,
            ]
            let item = try item(key)
            let status = SecItemUpdate(item as CFDictionary, new as CFDictionary)
            guard status == errSecItemNotFound else { return try check(status) }
            let added = SecItemAdd(item.merging(new) { $1 } as CFDictionary, nil)
            // Somebody else may have added it since.
            guard added == errSecDuplicateItem else { return try check(added) }
            try check(SecItemUpdate(item as CFDictionary, new as CFDictionary))
        }

        public func remove(_ key: String) throws(CredentialStoreError) {
            let status = SecItemDelete(try item(key) as CFDictionary)
            if status != errSecItemNotFound { try check(status) }
        }

        // MARK: Lock

        /// Takes the lock of a key by adding an item beside it, which the Keychain lets only one do.
        ///
        /// No process has to be alive to give it back: a lock older than ``lockLife`` is taken away. A file's lock would
        /// do here no service: iOS ends an app that is suspended with one in a shared container.
        public func tryLock(_ key: String) throws(CredentialStoreError) -> CredentialLock? {
            var item = try item(key)
            item[kSecAttrService as String] = service + ".lock"
            var mine = item
            mine[kSecAttrLabel as String] = UUID().uuidString
            let end = Date().addingTimeInterval(Self.lockLife).timeIntervalSince1970
            let content: [String: Any] = [
                kSecValueData as String: Data("\(end)".utf8),
                kSecAttrAccessible as String: accessibility.attribute,
            ]
            let status = SecItemAdd(mine.merging(content) { $1 } as CFDictionary, nil)
            guard status == errSecDuplicateItem else {
                try Self.check(status)
                let query = LockQuery(mine)
                return CredentialLock { query.remove() }
            }
            removeLockThatIsOver(item)
            return nil
        }

        /// Seconds: longer than a refresh takes.
        private static let lockLife: TimeInterval = 120

        /// What finds one lock; it can be sent because it holds nothing but strings and constants that never change.
        private struct LockQuery: @unchecked Sendable {
            private let query: [String: Any]
            init(_ query: [String: Any]) { self.query = query }
            func remove() { _ = SecItemDelete(query as CFDictionary) }
        }

        /// By its label, so that nobody takes away the lock that another one has taken meanwhile.
        private func removeLockThatIsOver(_ item: [String: Any]) {
            var query = item
            query[kSecReturnData as String] = true
            query[kSecReturnAttributes as String] = true
            query[kSecMatchLimit as String] = kSecMatchLimitOne
            var result: CFTypeRef?
            guard SecItemCopyMatching(query as CFDictionary, &result) == errSecSuccess,
                let found = result as? [String: Any],
                let label = found[kSecAttrLabel as String] as? String,
                let data = found[kSecValueData as String] as? Data,
                let end = TimeInterval(String(decoding: data, as: UTF8.self)),
                // One that ends too late is from before the clock was set back.
                !(0...Self.lockLife ~= end - Date().timeIntervalSince1970)
            else { return }
            var old = item
            old[kSecAttrLabel as String] = label
            _ = SecItemDelete(old as CFDictionary)
        }

        // MARK: Queries

        private func item(_ key: String) throws(CredentialStoreError) -> [String: Any] {
            [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
                kSecAttrAccount as String: key, kSecUseDataProtectionKeychain as String: true,
                kSecAttrAccessGroup as String: try group(),
            ]
        }

        /// A query without a group looks in all of the program's groups, and an item without one is added to the first: so
        /// every query names one.
        private func group() throws(CredentialStoreError) -> String {
            if let accessGroup { return accessGroup }
            if let known = Self.firstGroup.current { return known }
            let group = try Self.askForFirstGroup()
            Self.firstGroup.current = group
            return group
        }

        /// It does not change while the program runs.
        private static let firstGroup = Locked<String?>(nil)

        /// Adds an item that nobody else has, looks where the system has put it, and removes it.
        private static func askForFirstGroup() throws(CredentialStoreError) -> String {
            let probe: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword,
                kSecAttrService as String: "DiscreteNetworking.accessGroup",
                kSecAttrAccount as String: UUID().uuidString, kSecUseDataProtectionKeychain as String: true,
            ]
            let content: [String: Any] = [
                kSecValueData as String: Data(), kSecReturnAttributes as String: true,
                kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            var result: CFTypeRef?
            try check(SecItemAdd(probe.merging(content) { $1 } as CFDictionary, &result))
            _ = SecItemDelete(probe as CFDictionary)
            guard let attributes = result as? [String: Any],
                let group = attributes[kSecAttrAccessGroup as String] as? String
            else {
                throw CredentialStoreError(
                    .unavailable, message: "The Keychain does not say its access group; give the store one.")
            }
            return group
        }

        private func check(_ status: OSStatus) throws(CredentialStoreError) { try Self.check(status) }

        private static func check(_ status: OSStatus) throws(CredentialStoreError) {
            switch status {
            case errSecSuccess: return
            case errSecInteractionNotAllowed:
                throw CredentialStoreError(
                    .deviceLocked, message: "The Keychain is locked; try again when the device is unlocked.",
                    code: Int(status))
            case errSecMissingEntitlement:
                throw CredentialStoreError(
                    .unavailable,
                    message:
                        "The program may not use the Keychain or its access group; sign it with the entitlement.",
                    code: Int(status))
            default:
                let text = SecCopyErrorMessageString(status, nil) as String? ?? "an unknown status"
                throw CredentialStoreError(
                    .unavailable, message: "The Keychain refused: \(text)", code: Int(status))
            }
        }
    }

    extension KeychainCredentialStore.Accessibility {
        fileprivate var attribute: CFString {
            switch self {
            case .whenUnlocked: kSecAttrAccessibleWhenUnlockedThisDeviceOnly
            case .afterFirstUnlock: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly
            }
        }
    }
#endif
