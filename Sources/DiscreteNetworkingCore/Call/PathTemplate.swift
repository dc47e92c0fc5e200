import Foundation

/// A method name with placeholders for params: `users/{id}/orders`.
///
/// A method name is plain text: what a path cannot hold is percent-encoded. A value fills one path
/// segment, or a part of one, and can never leave it. It is not empty, unless the placeholder says that it may
/// be: `state/{type}/{key=}`. A query, as in `index.php?c=user`, is params.
struct PathTemplate: Sendable {
    private enum Part: Sendable {
        case text(String)
        case name(String, mayBeEmpty: Bool)
    }

    private let parts: [Part]
    private let methodName: String
    /// The names of the placeholders.
    let names: [String]
    /// The params of its query; see ``MethodQuery``.
    let query: Params
    /// The path of a template without placeholders.
    let fixedPath: String?

    private static let parsed = Memo<ExactText, PathTemplate>()

    /// Returns the template of a method name, parsed once.
    /// - Throws: ``InvalidRequestError`` where braces do not pair up or the text holds what a path may not.
    static func of(_ methodName: String) throws(InvalidRequestError) -> PathTemplate {
        try parsed.value(for: ExactText(methodName)) { () throws(InvalidRequestError) in
            try PathTemplate(methodName)
        }
    }

    /// Parses a method name.
    /// - Throws: ``InvalidRequestError`` if braces are unbalanced or the text contains a forbidden character.
    init(_ methodName: String) throws(InvalidRequestError) {
        self.methodName = methodName
        let (path, query) = MethodQuery.split(methodName)
        try Self.check(style: path)
        try Self.check(plain: path, what: "method name")
        self.query =
            try query.map { text throws(InvalidRequestError) in
                try MethodQuery.params(text, of: methodName)
            } ?? [:]
        guard path.utf8.contains(where: Self.isBrace) else {
            parts = [.text(path)]
            names = []
            fixedPath = try Self.checked(PercentEncoding.path.encode(path), what: "method name", methodName)
            return
        }
        let unbalanced = InvalidRequestError(
            "Unbalanced braces in the method name \(methodName.debugDescription); write placeholders as in \"users/{id}\"."
        )
        var parts: [Part] = []
        var rest = Substring(path)
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            let inner = rest[rest.index(after: brace)...]
            guard rest[brace] == "{", let end = inner.firstIndex(where: { $0 == "{" || $0 == "}" }),
                inner[end] == "}", end > inner.startIndex
            else { throw unbalanced }
            parts.append(.text(String(rest[..<brace])))
            let name = inner[..<end]
            // As a route of ASP.NET writes a default value: of the empty text.
            let mayBeEmpty = name.last == "="
            guard name != "=" else { throw unbalanced }
            parts.append(.name(String(mayBeEmpty ? name.dropLast() : name), mayBeEmpty: mayBeEmpty))
            rest = inner[inner.index(after: end)...]
        }
        parts.append(.text(String(rest)))
        // A brace followed by a combining mark is one `Character`, which the search above does not match.
        for case .text(let text) in parts where text.utf8.contains(where: Self.isBrace) { throw unbalanced }
        try Self.check(start: parts, methodName)
        self.parts = parts
        names = parts.compactMap { if case .name(let name, _) = $0 { name } else { nil } }
        fixedPath = nil
    }

    /// Rejects a path that may begin with an empty value: the slash behind it would be dropped, and the call be one of another
    /// endpoint.
    private static func check(start parts: [Part], _ methodName: String) throws(InvalidRequestError) {
        for part in parts {
            switch part {
            case .text(let text) where text.utf8.allSatisfy { $0 == UInt8(ascii: "/") }: continue
            case .name(let name, mayBeEmpty: true):
                throw InvalidRequestError(
                    "The method name \(methodName.debugDescription) may begin with an empty value; write {\(name)}."
                )
            default: return
            }
        }
    }

    private static func isBrace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}")
    }

    /// Returns the relative path, percent-encoded.
    /// - Throws: ``InvalidRequestError`` naming the param that is missing or not allowed in a path.
    func fill(_ params: Params) throws(InvalidRequestError) -> String {
        var path: [UInt8] = []
        for part in parts {
            switch part {
            case .text(let text): PercentEncoding.path.append(text, to: &path)
            case .name(let name, let mayBeEmpty):
                PercentEncoding.unreserved.append(try value(name, in: params, mayBeEmpty), to: &path)
            }
        }
        return try Self.checked(String(decoding: path, as: UTF8.self), what: "method name", methodName)
    }

    /// Returns a method name with its values for display, percent-encoded. Placeholders of secrets and those
    /// without a value are kept.
    static func text(of methodName: String, _ params: Params, _ redaction: Redaction) -> String {
        let (path, query) = MethodQuery.split(methodName)
        // The query is a part of the name: `index.php?c=user` is another endpoint than `index.php?c=order`.
        let end = query.map { redaction.redacted(text: "?\($0)") } ?? ""
        guard path.utf8.contains(UInt8(ascii: "{")), let template = try? PathTemplate.of(methodName) else {
            return path + end
        }
        return template.parts.map { part in
            switch part {
            case .text(let text): text
            case .name(let name, _) where redaction.isSecret(param: name): "{\(name)}"
            case .name(let name, let mayBeEmpty):
                (try? template.value(name, in: params, mayBeEmpty)).map {
                    PercentEncoding.unreserved.encode(redaction.redacted(text: $0))
                } ?? "{\(name)}"
            }
        }
        .joined() + end
    }

    /// Returns plain text as a relative path, percent-encoded.
    static func path(_ text: String, what: String) throws(InvalidRequestError) -> String {
        try check(plain: text, what: what)
        return try checked(PercentEncoding.path.encode(text), what: what, text)
    }

    private func value(
        _ name: String, in params: Params, _ mayBeEmpty: Bool
    ) throws(InvalidRequestError) -> String {
        let place =
            "The method name \(methodName.debugDescription) requires the param \(name.debugDescription)"
        let text: String
        switch params[name] {
        case nil, .null?:
            let names = params.names.map(\.debugDescription).joined(separator: ", ")
            throw InvalidRequestError(
                "\(place), which is missing; the call has \(names.isEmpty ? "no params" : names).")
        case .string(let string)?: text = string
        case .number(let number)?: text = number.literal
        case .bool(let bool)?: text = bool ? "true" : "false"
        case .array?: throw InvalidRequestError("\(place) as one value; it is an array.")
        case .object?: throw InvalidRequestError("\(place) as one value; it is an object.")
        }
        guard mayBeEmpty || !text.isEmpty else {
            throw InvalidRequestError(
                "\(place), which is empty. If the endpoint has an empty one, write {\(name)=}.")
        }
        guard !Self.climbs(text) else {
            throw InvalidRequestError(
                "\(place), but its value contains a dot segment; pass a single path segment.")
        }
        return text
    }

    /// Rejects the notations of other frameworks: a whole URL, and colon placeholders (`users/:id`).
    private static func check(style methodName: String) throws(InvalidRequestError) {
        guard methodName.utf8.contains(UInt8(ascii: ":")) else { return }
        let scheme = methodName.drop { $0 == "/" }.prefix { $0 != ":" }
        let isScheme =
            scheme.first?.isLetter == true
            && scheme.utf8.allSatisfy { "+-.".utf8.contains($0) || Character(Unicode.Scalar($0)).isASCIIWord }
        guard !isScheme || !methodName[scheme.endIndex...].hasPrefix("://") else {
            throw InvalidRequestError(
                "The method name \(methodName.debugDescription) is a whole URL; use only the path, and set the host in the baseURL of a Service."
            )
        }
        let segments = methodName.split(separator: "/", omittingEmptySubsequences: false)
        let right = segments.map { segment in
            guard segment.first == ":" else { return String(segment) }
            let name = segment.dropFirst().prefix { $0.isASCIIWord }
            guard let first = name.first, !first.isNumber else { return String(segment) }
            return "{\(name)}" + segment[name.endIndex...]
        }
        .joined(separator: "/")
        guard right == methodName else {
            throw InvalidRequestError(
                "The method name \(methodName.debugDescription) marks a placeholder with a colon; write \(right.debugDescription)."
            )
        }
    }

    /// Rejects characters that would end the path or that some servers treat as a slash.
    private static func check(plain text: String, what: String) throws(InvalidRequestError) {
        let forbidden = text.utf8.contains { byte in
            byte < 0x20 || byte == 0x7F || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
                || byte == UInt8(ascii: "\\")
        }
        guard !forbidden else {
            throw InvalidRequestError(
                "The \(what) \(text.debugDescription) contains '?', '#', '\\' or a control character; pass arguments as params. A fragment ('#') is never sent."
            )
        }
    }

    /// Returns the encoded path without leading slashes.
    private static func checked(_ path: String, what: String, _ text: String) throws(InvalidRequestError)
        -> String
    {
        guard !climbs(path) else {
            throw InvalidRequestError(
                "The \(what) \(text.debugDescription) contains a dot segment ('.' or '..'); remove it.")
        }
        return path.hasPrefix("/") ? String(path.drop { $0 == "/" }) : path
    }

    /// Whether a server could find a dot segment in the text, as written or decoded up to three times, with
    /// a backslash as a slash.
    private static func climbs(_ text: String) -> Bool {
        guard text.utf8.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "%") }) else {
            return false
        }
        var bytes = Array(text.utf8)
        for _ in 0...3 {
            let segments = bytes.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
            if segments.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }) {
                return true
            }
            guard bytes.contains(UInt8(ascii: "%")) else { return false }
            bytes = PercentEncoding.decoded(bytes)
        }
        return false
    }
}

extension Character {
    /// Whether this is an ASCII letter, digit or underscore.
    fileprivate var isASCIIWord: Bool { isASCII && (isLetter || isNumber || self == "_") }
}

extension APICall {
    /// Returns ``methodName`` with its values for display: `products/404`. Secrets are redacted.
    package func endpoint(_ redaction: Redaction) -> String {
        PathTemplate.text(of: methodName, pathParams ?? params, redaction)
    }
}
