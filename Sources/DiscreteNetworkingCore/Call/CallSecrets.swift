import Foundation

/// The values that a call sends with secret names, and that a server may repeat with other names.
package struct CallSecrets: Sendable {
    private let params: [JSONValue]
    private let query: String?
    private let headers: HTTPFields
    private let credential: HTTPCredential?
    private let csrfHeader: HTTPFields.Name?
    /// The body, if no params say what is in it.
    private let body: Data

    /// - Parameter request: The request; `nil` until it is built.
    package init(_ own: Params, _ request: APIRequest?) {
        params = [
            own.jsonValue, .object(request?.notes.pathParams ?? [:]),
            .object(request?.notes.bodyParams ?? [:]),
        ]
        query = request.flatMap {
            URLComponents(url: $0.url, resolvingAgainstBaseURL: false)?.percentEncodedQuery
        }
        headers = request?.headers ?? [:]
        credential = request?.credential
        csrfHeader = request?.notes.csrf?.header
        body = request.map(Self.searchedBody) ?? Data()
    }

    /// The beginning of a body that the service wrote itself; before it was transformed, if it was.
    private static func searchedBody(of request: APIRequest) -> Data {
        guard request.notes.bodyParams.isEmpty else { return Data() }
        if let plain = request.notes.identity.plain { return plain.data.prefix(bodyLimit) }
        guard case .data(let data) = request.uncompressed.body else { return Data() }
        return data.prefix(bodyLimit).searchable(as: request.headers["Content-Type"]) ?? Data()
    }

    private static let bodyLimit = 64 << 10

    /// Returns the values that have a secret name according to a redaction.
    fileprivate func values(by redaction: Redaction) -> [String] {
        var values = params.flatMap { Self.values(in: $0, by: redaction) }
        for pair in (query ?? "").split(separator: "&") {
            let (name, value) = Self.halves(of: pair)
            values +=
                redaction.isSecret(param: name, value: .string(value))
                ? [value] : Self.values(inText: value, by: redaction)
        }
        if !body.isEmpty { values += redaction.secrets(in: Array(body)) }
        for field in headers {
            guard field.name == csrfHeader || redaction.isSecret(header: field.name.rawName) else {
                values += Self.values(inText: field.value, by: redaction)
                continue
            }
            values.append(field.value)
            // `Bearer …`, `a=…; b=…`: each word of at least 8 bytes is a secret too.
            values += field.value.split { " ;,=\"".contains($0) }.map(String.init).filter {
                $0.utf8.count >= 8
            }
            values += Self.passwords(inBasic: field.value)
        }
        switch credential {
        case nil: break
        case .basic(let user, let password)?, .digest(let user, let password)?:
            values += [password, "\(user):\(password)"]
        case .bearer(let token)?: values.append(token)
        }
        return values
    }

    /// The password of Basic authentication (RFC 7617), with its user and alone.
    private static func passwords(inBasic field: String) -> [String] {
        let words = field.split(separator: " ")
        guard words.count == 2, words[0].lowercased() == "basic",
            let text = Data(base64Encoded: String(words[1])).map({ String(decoding: $0, as: UTF8.self) })
        else { return [] }
        return [text] + text.split(separator: ":", maxSplits: 1).dropFirst().map(String.init)
    }

    private static func halves(of pair: Substring) -> (name: String, value: String) {
        let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { half in
            String(decoding: PercentEncoding.decoded(Array(half.utf8)), as: UTF8.self)
        }
        return (halves[0], halves.count > 1 ? halves[1] : "")
    }

    /// Returns the secrets in a text, such as JSON that is quoted in a param.
    private static func values(inText text: String, by redaction: Redaction) -> [String] {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "=") || $0 == 0x20 })
        else { return [] }
        return redaction.secrets(in: Array(text.utf8.prefix(bodyLimit)))
    }

    /// Returns the strings and numbers nested under a secret name, and the secrets in other strings.
    private static func values(in value: JSONValue, by redaction: Redaction) -> [String] {
        var values: [String] = []
        // Iterative, because params can be nested to any depth.
        var rest = [(value: value, isSecret: false)]
        while let (value, isSecret) = rest.popLast() {
            switch value {
            case .null, .bool: break
            case .number(let number): if isSecret { values.append(number.literal) }
            case .string(let string):
                values += isSecret ? [string] : Self.values(inText: string, by: redaction)
            case .array(let elements): rest += elements.map { ($0, isSecret) }
            case .object(let members):
                rest += members.map {
                    ($0.value, isSecret || redaction.isSecret(param: $0.key, value: $0.value))
                }
            }
        }
        return values
    }
}

extension Redaction {
    /// Returns a redaction that also hides the secret values of a call wherever they occur.
    package func hiding(_ secrets: CallSecrets) -> Redaction {
        hiding([secrets])
    }

    /// The same for several attempts of a call.
    package func hiding(_ secrets: [CallSecrets]) -> Redaction {
        self == .none ? self : hiding(secrets.flatMap { $0.values(by: self) })
    }
}
