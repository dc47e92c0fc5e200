import Foundation

extension HTTPFields {
    /// The default header fields: `Accept`, `Accept-Language` (the user's languages) and `User-Agent` (the
    /// name and version of the program and of this framework).
    public static let standard: HTTPFields = [
        "Accept": "application/json, */*;q=0.8",
        "Accept-Language": acceptLanguage(Locale.preferredLanguages),
        "User-Agent": userAgent(
            program: Bundle.main.infoDictionary?["CFBundleExecutable"] as? String
                ?? ProcessInfo.processInfo.processName,
            version: Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String),
    ]

    /// Returns up to six languages, with quality values in steps of 0.1 (RFC 9110 section 12.5.4).
    static func acceptLanguage(_ languages: [String]) -> String {
        let tags = languages.prefix(6).filter { !$0.isEmpty && $0.utf8.allSatisfy(isLanguageByte) }
        guard !tags.isEmpty else { return "*" }
        return tags.enumerated().map { $0 == 0 ? $1 : "\($1);q=0.\(10 - $0)" }.joined(separator: ", ")
    }

    /// Returns product tokens (RFC 9110 section 10.1.5), with invalid characters replaced by `-`.
    static func userAgent(program: String, version: String?) -> String {
        let product = [program, version ?? ""].filter { !$0.isEmpty }.map { text in
            String(text.unicodeScalars.map { HTTPToken.isValid(String($0)) ? Character($0) : "-" })
        }
        return (product.isEmpty ? "" : product.joined(separator: "/") + " ")
            + "DiscreteNetworking/\(frameworkVersion)"
    }

    private static func isLanguageByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

/// The version in CHANGELOG.md.
package let frameworkVersion = "0.2.0"
