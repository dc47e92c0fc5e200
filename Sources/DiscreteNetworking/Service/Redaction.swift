import Foundation

/// What never reaches a log, an error's text or a cURL line: the values of secret headers and params.
///
/// ```swift
/// let proxy = ApiProxy(redaction: Redaction.standard.adding("x-partner", "mobile"))
/// ```
///
/// Names are compared without regard to case, `-` and `_`.
public struct Redaction: Sendable, Hashable {
    /// Words that make a name secret wherever they stand in it.
    public var words: Set<String>
    /// Names that are secret as a whole.
    public var names: Set<String>
    private var hidesNothing = false

    /// Hides what is commonly secret: authorization, cookies, passwords, tokens, signatures, keys.
    public static let standard = Redaction(
        words: [
            "authorization", "cookie", "password", "passwd", "passphrase", "secret", "token", "signature",
            "apikey", "accesskey", "privatekey", "credential", "sessionid",
        ],
        names: [
            "pwd", "sign", "sig", "auth", "otp", "pin", "cvv", "cvc", "sid", "key", "assertion",
            "codeverifier",
        ])

    /// Hides nothing. For a debugging session of one's own, never for a release.
    public static let none: Redaction = {
        var redaction = Redaction(words: [], names: [])
        redaction.hidesNothing = true
        return redaction
    }()

    public init(words: Set<String>, names: Set<String>) {
        self.words = Set(words.map(Self.normal))
        self.names = Set(names.map(Self.normal))
    }

    /// The same, with more names.
    public func adding(_ names: String...) -> Redaction {
        var more = self
        more.names.formUnion(names.map(Self.normal))
        return more
    }

    /// What stands in place of a secret.
    public static let mark = "<redacted>"

    /// Whether the value of a param is hidden.
    public func isSecret(param name: String) -> Bool {
        guard !hidesNothing else { return false }
        let name = Self.normal(name)
        return names.contains(name) || words.contains { name.contains($0) }
    }

    /// Whether the value of a header is hidden. The headers of HTTP's own authentication and cookies
    /// always are, but for ``none``.
    public func isSecret(header name: String) -> Bool {
        guard !hidesNothing else { return false }
        return Self.headers.contains(Self.normal(name)) || isSecret(param: name)
    }

    private static let headers: Set = [
        "authorization", "proxyauthorization", "cookie", "setcookie", "cookie2", "setcookie2",
        "wwwauthenticate",
        "proxyauthenticate", "authenticationinfo",
    ]

    private static func normal(_ name: String) -> String {
        String(decoding: name.utf8.filter { $0 != 0x2D && $0 != 0x5F }, as: UTF8.self).lowercased()
    }
}
