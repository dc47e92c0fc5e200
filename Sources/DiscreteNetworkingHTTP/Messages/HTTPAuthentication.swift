import Foundation

/// What a client shows to a server that wants to know who calls (RFC 9110 section 11).
///
/// ```swift
/// func credential(for call: APICall) -> HTTPCredential? { .basic(user: "casa", password: secret) }
/// ```
/// It never goes to another origin than that of the service.
public enum HTTPCredential: Sendable, Hashable {
    /// RFC 7617, sent at once.
    case basic(user: String, password: String)
    /// RFC 7616: sent in answer to the server's challenge.
    case digest(user: String, password: String)
    /// RFC 6750, sent at once.
    case bearer(String)

    /// The value of the `Authorization` header; `nil` where that needs the server's challenge.
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
    /// The scheme; never the secret.
    public var description: String {
        switch self {
        case .basic: "Basic"
        case .digest: "Digest"
        case .bearer: "Bearer"
        }
    }
}

/// One challenge of a `WWW-Authenticate` header (RFC 9110 section 11.6.1).
package struct AuthenticationChallenge: Sendable {
    let scheme: String
    private(set) var parameters: [(name: String, value: String)] = []

    package func isScheme(_ name: String) -> Bool { HTTPToken.isSame(scheme, name) }

    package func parameter(_ name: String) -> String? {
        parameters.first { HTTPToken.isSame($0.name, name) }?.value
    }

    /// The challenges of a header's value, in order, as far as it can be read.
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

    /// A token, or a quoted string without its quotes (RFC 9110 section 5.6.4).
    private static func value(from rest: inout Substring.UTF8View) -> String {
        guard rest.first == quote else { return take(from: &rest) { !isSpace($0) && $0 != comma } }
        rest = rest.dropFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst(), byte != quote {
            bytes.append(byte == backslash ? rest.popFirst() ?? byte : byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What some schemes have instead of parameters: one word, which ends at a comma.
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
