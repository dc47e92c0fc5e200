import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A `Set-Cookie` header as RFC 6265 section 5.2 reads it: what is odd is left out, and the rest counts.
struct SetCookie {
    private let name: String
    private let value: String
    private var domain: String?
    private var path: String?
    private var expires: Date?
    private var maxAge: Int?
    private var isSecure = false

    /// RFC 6265 section 6.1 asks for 4096 bytes.
    private static let byteLimit = 4096

    init?(_ line: String) {
        guard line.utf8.count <= Self.byteLimit else { return nil }
        let parts = line.split(separator: ";", omittingEmptySubsequences: false)
        guard let (name, value) = Self.pair(parts[0]), !name.isEmpty, let value else { return nil }
        self.name = name
        self.value = value
        for part in parts.dropFirst() {
            guard let (attribute, text) = Self.pair(part) else { continue }
            switch (attribute.lowercased(), text ?? "") {
            case ("expires", let text): expires = CookieDate.date(text) ?? expires
            case ("max-age", let text): maxAge = Int(text) ?? maxAge
            case ("domain", let text) where !text.isEmpty:
                domain = (text.hasPrefix(".") ? String(text.dropFirst()) : text).lowercased()
            case ("path", let text): path = text.hasPrefix("/") ? text : nil
            case ("secure", _): isSecure = true
            default: break
            }
        }
    }

    private static func pair(_ text: Substring) -> (String, String?)? {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        return parts.first.map { ($0, parts.count > 1 ? parts[1] : nil) }
    }

    /// The cookie, as a server at a URL may set it (RFC 6265 section 5.3).
    ///
    /// A domain with a dot in front is for all hosts below it, one without for that host alone, as in Foundation.
    /// - Returns: `nil` for a cookie of another domain, of a whole top-level domain, or a secure one over plain HTTP.
    func cookie(from url: URL, now: Date) -> HTTPCookie? {
        guard let host = url.host.map(HostName.normal), !isSecure || url.scheme?.lowercased() == "https"
        else {
            return nil
        }
        var scope = host
        if let domain, domain != host {
            guard domain.contains("."), CookieScope.isHost(host, below: domain) else { return nil }
            scope = "." + domain
        } else if domain != nil, domain?.contains(".") == true, !CookieScope.isAddress(host) {
            scope = "." + host
        }
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: name, .value: value, .domain: scope, .path: path ?? CookieScope.defaultPath(of: url),
        ]
        if isSecure { properties[.secure] = "TRUE" }
        if let maxAge {
            properties[.expires] = maxAge > 0 ? now + TimeInterval(maxAge) : .distantPast
        } else if let expires {
            properties[.expires] = expires
        }
        return HTTPCookie(properties: properties)
    }
}

/// Which requests a cookie is for.
enum CookieScope {
    /// RFC 6265 section 5.1.4
    static func defaultPath(of url: URL) -> String {
        let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
        guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            return "/"
        }
        return String(path[..<slash])
    }

    /// RFC 6265 section 5.1.3. An address is below nothing.
    static func isHost(_ host: String, below domain: String) -> Bool {
        host == domain || host.hasSuffix("." + domain) && !isAddress(host)
    }

    static func isAddress(_ host: String) -> Bool {
        host.contains(":") || host.split(separator: ".").last?.allSatisfy(\.isNumber) == true
    }

    /// Whether a cookie goes along to a URL (RFC 6265 section 5.4).
    static func covers(_ cookie: HTTPCookie, _ url: URL) -> Bool {
        guard let host = url.host.map(HostName.normal) else { return false }
        let domain = cookie.domain.lowercased()
        let isMeant = domain.hasPrefix(".") ? isHost(host, below: String(domain.dropFirst())) : host == domain
        // This machine is as safe as TLS makes another one.
        let isSafe = url.scheme?.lowercased() == "https" || HostName.isLoopback(host)
        let asked = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? ""
        let path = asked.isEmpty ? "/" : asked
        let isBelow =
            path == cookie.path
            || path.hasPrefix(cookie.path)
                && (cookie.path.hasSuffix("/") || path.dropFirst(cookie.path.count).first == "/")
        return isMeant && isBelow && (isSafe || !cookie.isSecure)
    }
}

/// The dates of `Expires`, in whatever form servers write them (RFC 6265 section 5.1.1).
enum CookieDate {
    static func date(_ text: String) -> Date? {
        var (day, month, year): (Int?, Int?, Int?) = (nil, nil, nil)
        var time: [Int]?
        let tokens = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == ":")) }
        for token in tokens {
            let clock = token.split(separator: ":").compactMap { Int($0) }
            if time == nil, token.contains(":"), clock.count == 3 {
                time = clock
            } else if day == nil, token.count <= 2, let number = Int(token) {
                day = number
            } else if month == nil, token.count >= 3,
                let index = months.firstIndex(of: token.prefix(3).lowercased())
            {
                month = index + 1
            } else if year == nil, (2...4).contains(token.count), let number = Int(token) {
                year = number < 70 ? number + 2000 : number < 100 ? number + 1900 : number
            }
        }
        guard let day, let month, let year, let time, year >= 1601, (1...31).contains(day), time[0] < 24,
            time[1] < 60, time[2] < 60, time.allSatisfy({ $0 >= 0 })
        else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
        let components = DateComponents(
            year: year, month: month, day: day, hour: time[0], minute: time[1], second: time[2])
        // A day that its month does not have.
        guard let date = calendar.date(from: components), calendar.component(.day, from: date) == day else {
            return nil
        }
        return date
    }

    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]
}
