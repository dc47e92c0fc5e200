import Foundation

/// A credential for HTTP authentication (RFC 9110 section 11).
///
/// ```swift
/// func credential(for call: APICall) -> HTTPCredential? {
///     .basic(user: "casa", password: secret)
/// }
/// ```
///
/// It is never sent to an origin other than the service's.
#if hasAttribute(nonexhaustive)
    @nonexhaustive(warn)
#endif
public enum HTTPCredential: Sendable, Hashable {
    /// Basic authentication (RFC 7617), sent with every request.
    case basic(user: String, password: String)
    /// Digest authentication (RFC 7616), sent in response to a challenge. `CurlTransport` uses the nonce of a challenge again, until
    /// the server sends another one.
    case digest(user: String, password: String)
    /// A bearer token (RFC 6750), sent with every request.
    case bearer(String)

    /// The value of the `Authorization` field; `nil` if it depends on a challenge.
    package var authorization: String? {
        switch self {
        case .basic(let user, let password):
            "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
        case .bearer(let token): "Bearer " + token
        case .digest: nil
        }
    }
}

extension HTTPCredential: SecretBearing {
    /// The authentication scheme; never the secret.
    public var description: String {
        switch self {
        case .basic: "Basic"
        case .digest: "Digest"
        case .bearer: "Bearer"
        }
    }
}

/// A challenge of a `WWW-Authenticate` field (RFC 9110 section 11.6.1).
package struct AuthenticationChallenge: Sendable {
    let scheme: String
    private(set) var parameters: [(name: String, value: String)] = []

    package func isScheme(_ name: String) -> Bool { HTTPToken.isSame(scheme, name) }

    package func parameter(_ name: String) -> String? {
        parameters.first { HTTPToken.isSame($0.name, name) }?.value
    }

    /// Parses the challenges of a field value, in order, up to the first syntax error.
    package static func all(in text: String) -> [AuthenticationChallenge] {
        var challenges: [AuthenticationChallenge] = []
        var rest = text.utf8[...]
        while true {
            rest = rest.drop { isSpace($0) || $0 == comma }
            let name = take(from: &rest) { !isSpace($0) && $0 != comma && $0 != equals }
            guard HTTPToken.isValid(name) else { return challenges }
            let next = rest.drop(while: isSpace)
            if next.first == equals, let last = challenges.indices.last {
                rest = next.dropFirst().drop(while: isSpace)
                challenges[last].parameters.append((name, value(from: &rest)))
            } else {
                challenges.append(AuthenticationChallenge(scheme: name))
                skipToken68(in: &rest)
            }
        }
    }

    /// Parses a token or a quoted string (RFC 9110 section 5.6.4).
    private static func value(from rest: inout Substring.UTF8View) -> String {
        guard rest.first == quote else { return take(from: &rest) { !isSpace($0) && $0 != comma } }
        rest = rest.dropFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst(), byte != quote {
            bytes.append(byte == backslash ? rest.popFirst() ?? byte : byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Skips the token68 that some schemes use instead of parameters.
    private static func skipToken68(in rest: inout Substring.UTF8View) {
        var after = rest.drop(while: isSpace)
        let word = take(from: &after) { !isSpace($0) && $0 != comma }
        guard after.drop(while: isSpace).first.map({ $0 == comma }) ?? true,
            word.utf8.drop(while: { $0 != equals }).allSatisfy({ $0 == equals })
        else { return }
        rest = after
    }

    private static func take(
        from rest: inout Substring.UTF8View, while isPart: (UInt8) -> Bool
    ) -> String {
        let part = rest.prefix(while: isPart)
        rest = rest[part.endIndex...]
        return String(decoding: part, as: UTF8.self)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
    private static let comma = UInt8(ascii: ",")
    private static let equals = UInt8(ascii: "=")
    private static let quote = UInt8(ascii: "\"")
    private static let backslash = UInt8(ascii: "\\")
}
