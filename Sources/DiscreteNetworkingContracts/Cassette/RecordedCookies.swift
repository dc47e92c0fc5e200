import DiscreteNetworkingCore
import Foundation

/// The cookies of a recorded response: with their names and attributes, so that a jar takes them when they are replayed,
/// and without their values.
enum RecordedCookies {
    /// Returns header fields with secrets redacted, of `Set-Cookie` only the value of the cookie.
    /// - Parameter now: The time of the response.
    static func redacted(_ headers: HTTPFields, _ redaction: Redaction, at now: Date) -> HTTPFields {
        HTTPFields(
            zip(headers, redaction.redacted(headers)).map { field, redacted in
                guard field.name == "Set-Cookie", let line = line(field.value, redaction, at: now) else {
                    return redacted
                }
                return HTTPFields.Field(name: field.name, value: line)
            })
    }

    /// Whether header fields have a cookie of which nothing is known, as earlier versions recorded it.
    static func isNameless(_ headers: HTTPFields) -> Bool {
        headers.values(of: "Set-Cookie").contains(Redaction.mark)
    }

    /// - Returns: `nil` for a line that sets no cookie.
    private static func line(_ line: String, _ redaction: Redaction, at now: Date) -> String? {
        let parts = line.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(pair)
        guard let cookie = parts.first, let value = cookie.value, !cookie.name.isEmpty else { return nil }
        let isHidden = redaction.isSecret(header: "Set-Cookie") && !value.isEmpty
        var texts = [
            "\(redaction.redacted(text: cookie.name))=\(isHidden ? Redaction.mark : redaction.redacted(text: value))"
        ]
        let attributes = parts.dropFirst().map { (name: $0.name.lowercased(), part: $0) }
        let hasMaxAge = attributes.contains { $0.name == "max-age" && isMaxAge($0.part.value) }
        for (name, part) in attributes {
            switch (name, part.value) {
            case ("secure", _), ("httponly", _), ("partitioned", _): texts.append(part.name)
            case ("domain", let value?), ("path", let value?), ("samesite", let value?):
                texts.append("\(part.name)=\(redaction.redacted(text: value))")
            case ("max-age", let value?) where isMaxAge(value): texts.append("\(part.name)=\(value)")
            case ("expires", let value?) where !hasMaxAge:
                // A date would be over when the cassette is replayed.
                guard let date = CookieDate.date(value) else { continue }
                let seconds = min(max(date.timeIntervalSince(now).rounded(.up), 0), 1e9)
                texts.append("Max-Age=\(Int(seconds))")
            default: continue
            }
        }
        return texts.joined(separator: "; ")
    }

    private static func isMaxAge(_ value: String?) -> Bool {
        guard let digits = value.map({ $0.hasPrefix("-") ? $0.dropFirst() : $0[...] }) else { return false }
        return !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    private static func pair(_ part: Substring.UTF8View) -> (name: String, value: String?) {
        let halves = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            .map { String(Substring($0)).trimmingCharacters(in: .whitespaces) }
        return (halves.first ?? "", halves.count > 1 ? halves[1] : nil)
    }
}
