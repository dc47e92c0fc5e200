import Foundation

/// The values that a call sends with secret names, and that a server may repeat with other names.
struct CallSecrets: Sendable {
    private let params: [JSONValue]
    private let query: String?
    private let headers: HTTPFields
    private let credential: HTTPCredential?

    /// - Parameter request: The request; `nil` until it is built.
    init(_ own: Params, _ request: APIRequest?) {
        params = [
            own.jsonValue, .object(request?.pathParams ?? [:]), .object(request?.bodyParams ?? [:]),
        ]
        query = request.flatMap {
            URLComponents(url: $0.url, resolvingAgainstBaseURL: false)?.percentEncodedQuery
        }
        headers = request?.headers ?? [:]
        credential = request?.credential
    }

    /// Returns the values whose names a redaction defines as secret.
    fileprivate func values(by redaction: Redaction) -> [String] {
        var values = params.flatMap { Self.values(in: $0, by: redaction) }
        for pair in (query ?? "").split(separator: "&") {
            let (name, value) = Self.halves(of: pair)
            if redaction.isSecret(param: name) { values.append(value) }
        }
        for field in headers where redaction.isSecret(header: field.name.rawName) {
            values.append(field.value)
            // `Bearer …`, `a=…; b=…`: each word of at least 8 bytes is a secret too.
            values += field.value.split { " ;,=\"".contains($0) }.map(String.init).filter {
                $0.utf8.count >= 8
            }
        }
        switch credential {
        case nil: break
        case .basic(_, let password)?, .digest(_, let password)?: values.append(password)
        case .bearer(let token)?: values.append(token)
        }
        return values
    }

    private static func halves(of pair: Substring) -> (name: String, value: String) {
        let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map { half in
            String(decoding: PercentEncoding.decoded(Array(half.utf8)), as: UTF8.self)
        }
        return (halves[0], halves.count > 1 ? halves[1] : "")
    }

    /// Returns the strings and numbers nested under a secret name.
    private static func values(in value: JSONValue, by redaction: Redaction) -> [String] {
        var values: [String] = []
        // Iterative, because params can be nested to any depth.
        var rest = [(value: value, isSecret: false)]
        while let (value, isSecret) = rest.popLast() {
            switch value {
            case .null, .bool: break
            case .number(let number): if isSecret { values.append(number.literal) }
            case .string(let string): if isSecret { values.append(string) }
            case .array(let elements): rest += elements.map { ($0, isSecret) }
            case .object(let members):
                rest += members.map { ($0.value, isSecret || redaction.isSecret(param: $0.key)) }
            }
        }
        return values
    }
}

extension Redaction {
    /// Returns a redaction that also hides the secret values of a call wherever they occur.
    func hiding(_ secrets: CallSecrets) -> Redaction {
        hiding([secrets])
    }

    /// The same for several attempts of a call.
    func hiding(_ secrets: [CallSecrets]) -> Redaction {
        self == .none ? self : hiding(secrets.flatMap { $0.values(by: self) })
    }
}
