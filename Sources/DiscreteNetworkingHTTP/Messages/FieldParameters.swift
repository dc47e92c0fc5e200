import Foundation

/// The parameters of a field value, such as `charset` of `text/html; charset=utf-8` (RFC 9110 section 5.6.6).
package struct FieldParameters {
    private var values: [String: String] = [:]

    /// Reads what comes after the first `;` of a field value. Of parameters with one name the first counts, as in browsers.
    package init(_ field: String) {
        var rest = field.unicodeScalars.drop { $0 != ";" }
        while rest.popFirst() != nil {
            rest = rest.drop(while: Self.isSpace)
            let name = String(rest.prefix { $0 != "=" && $0 != ";" })
            rest = rest.drop { $0 != "=" && $0 != ";" }
            guard rest.first == "=" else { continue }
            rest.removeFirst()
            let value = Self.value(&rest)
            let key = name.trimmingCharacters(in: .whitespaces).lowercased()
            values[key] = values[key] ?? value
            rest = rest.drop { $0 != ";" }
        }
    }

    /// The value of a parameter, without quotes; `nil` if there is none.
    /// - Parameter name: The name in lower case.
    package subscript(name: String) -> String? { values[name] }

    /// Reads a token or a quoted string (RFC 9110 section 5.6.4).
    private static func value(_ rest: inout Substring.UnicodeScalarView) -> String {
        rest = rest.drop(while: isSpace)
        guard rest.first == "\"" else {
            let token = rest.prefix { $0 != ";" }
            rest = rest[token.endIndex...]
            return String(token).trimmingCharacters(in: .whitespaces)
        }
        rest.removeFirst()
        var value = String.UnicodeScalarView()
        while let next = rest.popFirst(), next != "\"" {
            // Windows' servers send paths unescaped: a backslash quotes only what needs it.
            if next == "\\", let quoted = rest.first, quoted == "\"" || quoted == "\\" {
                value.append(rest.removeFirst())
            } else {
                value.append(next)
            }
        }
        return String(value)
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }
}
