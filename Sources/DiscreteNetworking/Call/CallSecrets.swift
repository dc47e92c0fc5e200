import Foundation

/// What a call sends under names that may be secret: a server repeats it in its answers, under any name.
struct CallSecrets: Sendable {
    private let params: [JSONValue]
    private let query: String?
    private let headers: HTTPFields
    private let credential: HTTPCredential?

    /// - Parameter request: `nil` as long as there is none.
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

    /// The values under names that a redaction says are secret.
    fileprivate func values(by redaction: Redaction) -> [String] {
        var values = params.flatMap { Self.values(in: $0, by: redaction) }
        for pair in (query ?? "").split(separator: "&") {
            let (name, value) = Self.halves(of: pair)
            if redaction.isSecret(param: name) { values.append(value) }
        }
        for field in headers where redaction.isSecret(header: field.name.rawName) {
            values.append(field.value)
            // `Bearer …`, `a=…; b=…`: each word is a secret, too, where it is long enough to be one.
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

    /// The texts and numbers that stand, however deep, under a secret name.
    private static func values(in value: JSONValue, by redaction: Redaction) -> [String] {
        var values: [String] = []
        // Kept in an array rather than on the call stack: code can nest params as deep as it likes.
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
    /// The same, which also hides what a call sends under secret names, wherever it is repeated.
    func hiding(_ secrets: CallSecrets) -> Redaction {
        self == .none ? self : hiding(secrets.values(by: self))
    }
}
