import Foundation

@testable import DiscreteNetworkingCookies
@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingHTTP

extension FuzzTarget {
    /// A response with these `Set-Cookie` headers, one a line: what the jar sends then can be sent, and is within limits.
    static let cookies = FuzzTarget(name: "cookies") { data in
        let lines = data.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
        let now = Date(timeIntervalSince1970: 1_750_000_000)
        for text in ["https://api.example.com/a/b", "http://shop.co.uk/", "http://127.0.0.1:8080/a"] {
            guard let url = URL(string: text) else { continue }
            var storage = CookieStorage()
            for line in lines {
                guard let cookie = SetCookie(line)?.cookie(from: url, now: now) else { continue }
                storage.set(cookie, isSecure: CookieScope.isSecure(url), at: now)
            }
            let header = storage.header(for: url, at: now) ?? ""
            try HTTPFields([.init(name: "Cookie", value: header)]).validate()
            try expect(header.utf8.count <= CookieStorage.headerLimit, "too long")
            try expect(storage.all.count <= CookieStorage.domainLimit * 4, "too many")
            try expect(storage.all.allSatisfy { $0.isValid && !$0.isExpired(at: now) }, "not valid")
            let pairs =
                header.utf8.isEmpty
                ? 0 : header.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).count
            try expect(pairs <= storage.all.count, "a cookie became two")
        }
        let file = try? JSONDecoder().decode(CookieFile.self, from: data)
        try expect(file?.cookies.allSatisfy(\.isValid) ?? true, "a stored cookie is not valid")
    }
}
