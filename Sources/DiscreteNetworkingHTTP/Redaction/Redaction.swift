import Foundation

/// Defines which headers and params are secret. Their values are redacted in logs, error texts and cURL commands.
///
/// ```swift
/// let proxy = ApiProxy(
///     redaction: Redaction.standard.adding("x-partner", "mobile"))
/// ```
///
/// Names are compared ignoring case, `-` and `_`.
///
/// A few secrets are recognized by their value, under any name: JSON Web Tokens, `Bearer` and `Basic` credentials, users
/// and passwords in URLs, and private keys in PEM. The value of `code` is secret in a query or form, where OAuth sends
/// authorization codes, unless it is a number of at most five digits; elsewhere only if it looks like one: at least 16
/// characters with letters and digits mixed. A business code such as `40102` stays readable.
public struct Redaction: Sendable, Hashable {
    /// Words that make any name containing them secret.
    public var words: Set<String>
    /// Secret names, compared as a whole.
    public var names: Set<String>
    /// Names that are not secret although they contain a secret word, such as `token_type`.
    public var exceptions: Set<String> = [] {
        didSet { exceptions = Set(exceptions.map(Self.normal)) }
    }
    /// Names of authorization codes; see ``isSecret(code:)``.
    var codes: Set<String> = []
    private var hidesNothing = false
    /// Values that are hidden under any name; see ``hiding(_:)``.
    var values: [[UInt8]] = []

    /// Redacts common secrets: authorization, cookies, passwords, tokens, signatures, keys.
    public static let standard: Redaction = {
        var redaction = Redaction(
            words: [
                "authorization", "cookie", "password", "passwd", "pwd", "passphrase", "secret", "token",
                "signature",
                "apikey", "accesskey", "privatekey", "subscriptionkey", "credential", "sessionid", "passcode",
                "csrf", "xsrf", "authkey", "aeskey", "encryptkey", "encryptionkey", "signkey", "signingkey",
                "密码", "口令", "令牌", "验证码",
            ],
            names: [
                "sign", "sig", "auth", "xauth", "jwt", "xjwt", "session", "xsession", "otp", "pin",
                "cvv",
                "cvc", "sid", "key", "assertion", "codeverifier", "pass", "bearer", "devicecode",
                "samlresponse",
                "samlrequest", "clientassertion", "verificationcode", "verifycode", "smscode",
                "paysign",
                "phpsessid", "authcode", "deskey", "otpcode", "totp", "totpcode", "mfacode",
            ])
        redaction.codes = ["code"]
        redaction.exceptions = [
            "token_type", "token_type_hint", "issued_token_type", "subject_token_type",
            "requested_token_type",
            "token_endpoint", "token_endpoint_auth_method", "token_url", "signature_method",
            "signature_version",
            "signature_algorithm", "max_tokens", "token_count",
        ]
        return redaction
    }()

    /// Redacts nothing. For local debugging only, never for a release.
    public static let none: Redaction = {
        var redaction = Redaction(words: [], names: [])
        redaction.hidesNothing = true
        return redaction
    }()

    /// Creates a redaction of names that contain one of the words or equal one of the names.
    public init(words: Set<String>, names: Set<String>) {
        self.words = Set(words.map(Self.normal))
        self.names = Set(names.map(Self.normal))
    }

    /// Returns a redaction with additional names.
    public func adding(_ names: String...) -> Redaction {
        var more = self
        more.names.formUnion(names.map(Self.normal))
        return more
    }

    /// The replacement for a secret.
    public static let mark = "<redacted>"

    /// Returns whether a param is secret, by its name or a part of it, as in `user[password]`.
    public func isSecret(param name: String) -> Bool {
        guard !hidesNothing else { return false }
        return isSecret(whole: name)
            || name.utf8.split { !Self.isNamePart($0) }.contains {
                $0.count < name.utf8.count && isSecret(whole: String(decoding: $0, as: UTF8.self))
            }
    }

    /// Whether a name is the name of an OAuth authorization code (RFC 6749 section 4.1.2). In the envelope of many
    /// backends, the business code has the same name; the value tells them apart.
    func isCode(_ name: String) -> Bool {
        let name = Self.normal(name)
        return Self.contains(codes, name) && !Self.contains(exceptions, name)
    }

    private func isSecret(whole name: String) -> Bool {
        let name = Self.normal(name)
        if Self.contains(names, name) { return true }
        return words.contains { Self.contains(name, $0) } && !Self.contains(exceptions, name)
    }

    /// Returns whether a header field is secret. HTTP authentication and cookie fields always are, except
    /// with ``none``.
    public func isSecret(header name: String) -> Bool {
        guard !hidesNothing else { return false }
        return Self.headers.contains(Self.normal(name)) || isSecret(param: name)
    }

    private static let headers: Set = [
        "authorization", "proxyauthorization", "cookie", "setcookie", "cookie2", "setcookie2",
        "wwwauthenticate",
        "proxyauthenticate", "authenticationinfo",
    ]

    private static func isNamePart(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: " "),
            0x80...:
            true
        default: false
        }
    }

    private static func normal(_ name: String) -> String {
        String(decoding: name.utf8.filter { $0 != 0x2D && $0 != 0x5F }, as: UTF8.self).lowercased()
    }

    // Compares bytes: a combining mark must not hide a word, and long names are not hashed, because hashing
    // normalizes them.

    private static func contains(_ names: Set<String>, _ name: String) -> Bool {
        names.contains { $0.utf8.count == name.utf8.count && $0.utf8.elementsEqual(name.utf8) }
    }

    private static func contains(_ name: String, _ word: String) -> Bool {
        guard word.utf8.count <= name.utf8.count else { return false }
        var (name, word) = (name, word)
        return name.withUTF8 { name in word.withUTF8 { contains(name, $0) } }
    }

    private static func contains(
        _ name: UnsafeBufferPointer<UInt8>, _ word: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        var start = 0
        while start <= name.count - word.count {
            var length = 0
            while length < word.count, name[start + length] == word[length] { length += 1 }
            if length == word.count { return true }
            start += 1
        }
        return false
    }
}

/// A type that may contain a secret. All of its textual representations, in `print`, `dump`, string
/// interpolation, mirrors and the debugger, are its `description`, which must not show secrets.
///
/// ```swift
/// struct Account: SecretBearing {
///     let name: String
///     let password: String
///     var description: String { name }
/// }
/// ```
public protocol SecretBearing: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension SecretBearing {
    /// The same as `description`.
    public var debugDescription: String { description }

    /// A mirror of the description only, so that `dump` shows no secret.
    public var customMirror: Mirror {
        Mirror(self, children: ["description": description], ancestorRepresentation: .suppressed)
    }
}

extension JSONValue: SecretBearing {
    /// The ``canonicalText`` with secrets redacted; see ``Redaction/standard``.
    public var description: String { Redaction.standard.redacted(text: canonicalText) }
}
