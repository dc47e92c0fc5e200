import Foundation

/// The stored form of a jar: its user and the cookies that have an expiry, oldest first.
///
///     {"version": 2, "user": "9f86d0…", "cookies": [{"name": …}]}
///
/// Version 1 was the array of the cookies, without a user.
struct CookieFile: Codable, Sendable {
    private static let version = 2

    let owner: CookieOwner
    let cookies: [Cookie]

    init(owner: CookieOwner = .unknown, cookies: [Cookie] = []) {
        self.owner = owner
        self.cookies = cookies
    }

    private enum Key: String, CodingKey { case version, user, cookies }

    struct NewerVersion: Error {}

    /// The date that limits lifetimes: a clock that was wrong when a cookie was set makes none eternal.
    static let now = CodingUserInfoKey(rawValue: "now")

    init(from decoder: any Decoder) throws {
        let now = Self.now.flatMap { decoder.userInfo[$0] as? Date } ?? Date()
        let stored: [StoredCookie]
        if let array = try? decoder.singleValueContainer().decode([StoredCookie].self) {
            (owner, stored) = (.unknown, array)
        } else {
            let container = try decoder.container(keyedBy: Key.self)
            guard try container.decode(Int.self, forKey: .version) <= Self.version else {
                throw NewerVersion()
            }
            owner =
                try container.decodeIfPresent(String.self, forKey: .user).map(CookieOwner.user) ?? .unknown
            stored = try container.decode([StoredCookie].self, forKey: .cookies)
        }
        // Earlier versions stored what is no longer valid.
        cookies = stored.map { $0.cookie(at: now) }.filter { $0.isValid && !$0.isExpired(at: now) }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Self.version, forKey: .version)
        if case .user(let subject) = owner { try container.encode(subject, forKey: .user) }
        try container.encode(cookies.compactMap(StoredCookie.init), forKey: .cookies)
    }
}

/// The user of cookies.
enum CookieOwner: Sendable, Hashable {
    /// The service has no session that would know.
    case unknown
    /// No user of the session is logged in. Such cookies are not stored: they may belong to a login.
    case nobody
    /// The user whom the session names by its subject.
    case user(String)
}

private struct StoredCookie: Codable {
    let name, value, domain, path: String
    let isSecure: Bool
    /// Not stored by version 1.
    let isHTTPOnly: Bool?
    let expires: Date

    /// `nil` for a cookie without an expiry.
    init?(_ cookie: Cookie) {
        guard let expires = cookie.expires else { return nil }
        (name, value, domain, path) = (cookie.name, cookie.value, cookie.dottedDomain, cookie.id.path)
        (isSecure, isHTTPOnly) = (cookie.isSecure, cookie.isHTTPOnly)
        self.expires = expires
    }

    func cookie(at now: Date) -> Cookie {
        Cookie(
            name: name, value: value, domain: domain, path: path, isSecure: isSecure,
            isHTTPOnly: isHTTPOnly ?? false, expires: expires, at: now)
    }
}
