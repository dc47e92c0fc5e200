/// The values of several `Set-Cookie` fields that Foundation has joined by commas.
///
/// They are the only fields that cannot be joined (RFC 9110 section 5.3), because a date has a comma too. A comma begins
/// another cookie where a name and `=` follow it.
enum JoinedCookies {
    static func split(_ text: String) -> [String] {
        var lines: [String] = []
        for part in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let part = String(Substring(part))
            if lines.isEmpty || beginsCookie(part) {
                lines.append(part)
            } else {
                lines[lines.count - 1] += "," + part
            }
        }
        return lines
    }

    private static func beginsCookie(_ text: String) -> Bool {
        let text = text.drop { $0 == " " }
        guard let equals = text.firstIndex(of: "=") else { return false }
        return HTTPToken.isValid(String(text[..<equals]))
    }
}
