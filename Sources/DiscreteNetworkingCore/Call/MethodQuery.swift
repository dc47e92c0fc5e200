import Foundation

/// The query of a method name, as in `index.php?c=user&a=login`: params that every call of the endpoint has.
///
/// It is read as the query of a URL: `%XX` and `+` are decoded (WHATWG URL section 5).
enum MethodQuery {
    /// Splits a method name at its first question mark.
    /// - Returns: The query; `nil` if there is none.
    static func split(_ methodName: String) -> (path: String, query: String?) {
        // By bytes: a question mark followed by a combining mark is one `Character`.
        guard let mark = methodName.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (methodName, nil) }
        let after = methodName.utf8.index(after: mark)
        return (String(methodName[..<mark]), String(methodName[after...]))
    }

    /// Returns the params of a query.
    /// - Throws: ``InvalidRequestError`` for a fragment, a placeholder, and a name that is empty or there twice.
    static func params(_ query: String, of methodName: String) throws(InvalidRequestError) -> Params {
        let place = "The query of the method name \(methodName.debugDescription)"
        let forbidden = query.utf8.contains { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "#") }
        guard !forbidden else {
            throw InvalidRequestError(
                "\(place) contains a fragment ('#'), which is never sent, or a control character; remove it.")
        }
        guard !query.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) else {
            throw InvalidRequestError(
                "\(place) contains a brace; a placeholder fills the path only. Pass the param instead: it is encoded in the query, or name it in \"encoding\"."
            )
        }
        var params = Params()
        for pair in query.utf8.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = decoded(parts[0])
            guard !name.isEmpty else {
                throw InvalidRequestError("\(place) contains a value without a name; remove it.")
            }
            guard params[name] == nil else {
                throw InvalidRequestError(
                    "\(place) contains \(name.debugDescription) twice; pass an array as a param.")
            }
            params[name] = .string(parts.count == 2 ? decoded(parts[1]) : "")
        }
        return params
    }

    private static func decoded(_ bytes: Substring.UTF8View) -> String {
        PercentEncoding.text(bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
    }
}
