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
        ///   - accessGroup: the Keychain group that several apps share. Default: the app's own.
        ///   - accessibility: when it can be read. Credentials never leave the device, not even in a backup.
        public init(
            service: String, accessGroup: String? = nil, accessibility: Accessibility = .afterFirstUnlock
        ) {
            self.service = service
            self.accessGroup = accessGroup
            self.accessibility = accessibility
        }

        public func read(_ key: String) throws(CredentialStoreError) -> Data? {
            var query = item(key)
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
            let status = SecItemUpdate(item(key) as CFDictionary, new as CFDictionary)
            guard status == errSecItemNotFound else { return try check(status) }
            let added = SecItemAdd(item(key).merging(new) { $1 } as CFDictionary, nil)
            // Somebody else may have added it since.
            guard added == errSecDuplicateItem else { return try check(added) }
            try check(SecItemUpdate(item(key) as CFDictionary, new as CFDictionary))
        }

        public func remove(_ key: String) throws(CredentialStoreError) {
            let status = SecItemDelete(item(key) as CFDictionary)
            if status != errSecItemNotFound { try check(status) }
        }

        private func item(_ key: String) -> [String: Any] {
            var query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
                kSecAttrAccount as String: key, kSecUseDataProtectionKeychain as String: true,
            ]
            if let accessGroup { query[kSecAttrAccessGroup as String] = accessGroup }
            return query
        }

        private func check(_ status: OSStatus) throws(CredentialStoreError) {
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
