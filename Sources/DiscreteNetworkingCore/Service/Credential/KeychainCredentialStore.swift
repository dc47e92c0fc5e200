#if canImport(Security)
    public import Foundation
    import Security

    /// A credential store that uses generic passwords in the Keychain.
    ///
    /// ```swift
    /// let store = KeychainCredentialStore(service: "com.example.shop")
    /// ```
    ///
    /// On iOS, Keychain items survive the deletion of the app and are found again after a reinstall. On
    /// macOS this uses the data protection Keychain, which requires a code-signed program.
    public struct KeychainCredentialStore: CredentialStore {
        /// When a credential is accessible.
        public enum Accessibility: Sendable, Hashable {
            /// Only while the device is unlocked.
            case whenUnlocked
            /// After the first unlock since the device started; for apps that run in the background.
            case afterFirstUnlock
        }

        private let service: String
        private let accessGroup: String?
        private let accessibility: Accessibility
        /// The storage of the service that created the store.
        private let storage = MemoryStorage.current

        /// Creates a store.
        /// - Parameters:
        ///   - service: The service name that separates these credentials from others of the app, such as
        ///     the bundle identifier.
        ///   - accessGroup: A Keychain access group shared by several apps, including the team prefix.
        ///     Default: the first of the program's own groups, and only that one, so items of other apps in
        ///     a shared group are neither read nor overwritten.
        ///   - accessibility: When a credential is accessible. Items are never synchronized or migrated to
        ///     another device.
        public init(
            service: String, accessGroup: String? = nil, accessibility: Accessibility = .afterFirstUnlock
        ) {
            self.service = service
            self.accessGroup = accessGroup
            self.accessibility = accessibility
        }

        public func read(_ key: String) throws(CredentialStoreError) -> Data? {
            if let memory { return memory.read(key) }
            var query = try item(key)
            query[kSecReturnData as String] = true
            query[kSecMatchLimit as String] = kSecMatchLimitOne
            var result: CFTypeRef?
            let status = SecItemCopyMatching(query as CFDictionary, &result)
            if status == errSecItemNotFound { return nil }
            try check(status)
            guard let data = result as? Data else {
                throw CredentialStoreError(
                    .damaged, message: "The Keychain item contains no data; remove it and log in again.")
            }
            return data
        }

        public func write(_ data: Data, for key: String) throws(CredentialStoreError) {
            if let memory { return memory.write(data, for: key) }
            let new = content(data)
            let item = try item(key)
            let status = SecItemUpdate(item as CFDictionary, new as CFDictionary)
            guard status == errSecItemNotFound else { return try check(status) }
            let added = SecItemAdd(item.merging(new) { $1 } as CFDictionary, nil)
            // Another process may have added it in the meantime.
            guard added == errSecDuplicateItem else { return try check(added) }
            try check(SecItemUpdate(item as CFDictionary, new as CFDictionary))
        }

        public func replace(
            _ old: Data?, with new: Data?, for key: String
        ) throws(CredentialStoreError) -> Bool {
            if let memory { return memory.replace(old, with: new, for: key) }
            var item = try item(key)
            guard let old else {
                guard let new else { return try read(key) == nil }
                let status = SecItemAdd(item.merging(content(new)) { $1 } as CFDictionary, nil)
                if status != errSecDuplicateItem { try Self.check(status) }
                return status == errSecSuccess
            }
            // The Keychain finds the item and changes it in one step.
            item[kSecAttrGeneric as String] = Self.mark(old)
            let status =
                if let new {
                    SecItemUpdate(item as CFDictionary, content(new) as CFDictionary)
                } else {
                    SecItemDelete(item as CFDictionary)
                }
            if status != errSecItemNotFound { try Self.check(status) }
            return status == errSecSuccess
        }

        private func content(_ data: Data) -> [String: Any] {
            [
                kSecValueData as String: data, kSecAttrAccessible as String: accessibility.attribute,
                kSecAttrGeneric as String: Self.mark(data),
            ]
        }

        /// An attribute by which an item with this data is found. The Keychain searches for no data.
        private static func mark(_ data: Data) -> Data {
            Data(MessageDigest(.sha256, of: data).hexadecimal.utf8)
        }

        public func remove(_ key: String) throws(CredentialStoreError) {
            if let memory { return memory.remove(key) }
            let status = SecItemDelete(try item(key) as CFDictionary)
            if status != errSecItemNotFound { try check(status) }
        }

        // MARK: Lock

        /// Acquires the lock of a key by adding an item, which succeeds for one process only.
        ///
        /// The lock does not depend on the holder's process: one older than ``lockLife`` is removed. A file
        /// lock does not work here: iOS terminates an app that is suspended while holding one in a shared
        /// container.
        public func tryLock(_ key: String) throws(CredentialStoreError) -> CredentialLock? {
            if let memory { return try memory.tryLock(key) }
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

        /// The lifetime of a lock, in seconds; longer than a refresh takes.
        private static let lockLife: TimeInterval = 120

        /// A query for one lock. `@unchecked` because it contains only strings and constants, which are
        /// never modified.
        private struct LockQuery: @unchecked Sendable {
            private let query: [String: Any]
            init(_ query: [String: Any]) { self.query = query }
            func remove() { _ = SecItemDelete(query as CFDictionary) }
        }

        /// Removes an expired lock. The query includes its label, so a lock acquired in the meantime is not
        /// removed.
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
                // An end too far in the future dates from before the clock was set back.
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

        /// A query without a group searches all of the program's groups, but an item without one is added
        /// to the first. Therefore every query names a group.
        private func group() throws(CredentialStoreError) -> String {
            if let accessGroup { return accessGroup }
            if let known = Self.firstGroup.current { return known }
            let group = try Self.askForFirstGroup()
            Self.firstGroup.current = group
            return group
        }

        /// Constant while the program runs.
        private static let firstGroup = Locked<String?>(nil)

        /// Adds a temporary item, reads the group that the system assigned to it, and removes it.
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
                    .unavailable,
                    message:
                        "The Keychain reported no access group; pass accessGroup to KeychainCredentialStore.")
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
                        "The program lacks the entitlement for the Keychain or its access group; sign it with keychain-access-groups.",
                    code: Int(status))
            default:
                let text = SecCopyErrorMessageString(status, nil) as String? ?? "unknown status"
                throw CredentialStoreError(
                    .unavailable, message: "Keychain error: \(text)", code: Int(status))
            }
        }
    }

    extension KeychainCredentialStore: NamedCredentialStore {
        var storageName: String { "Keychain \(accessGroup ?? "") \(service)" }

        /// `nil` for the Keychain.
        private var memory: MemoryCredentialStore? {
            (storage ?? MemoryStorage.current)?.store(named: storageName)
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
