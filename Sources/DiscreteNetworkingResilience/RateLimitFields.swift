import DiscreteNetworkingCore
import Foundation

/// What a response says of the limits of its server.
struct RateLimitFields: Equatable {
    /// The number of calls that the server still accepts; 0 or more.
    let remaining: Int
    /// The seconds until there are more; greater than 0.
    let reset: TimeInterval

    /// Reads the fields of a response: what holds calls back for the longest time.
    /// - Parameters:
    ///   - status: The status of the response: `Retry-After` is read for 429 and 503 only.
    ///   - now: The reference for dates.
    /// - Returns: `nil` if there are none, or none that make sense.
    init?(_ headers: HTTPFields, status: Int, now: Date) {
        var found = Self.quotas(headers)
        for prefix in ["RateLimit", "X-RateLimit", "X-Rate-Limit"] {
            if let remaining = Self.number(headers, "\(prefix)-Remaining"),
                let reset = Self.number(headers, "\(prefix)-Reset")
            {
                found.append((remaining, Self.seconds(reset, now)))
            }
        }
        if status == 429 || status == 503, let seconds = RetryAfter.seconds(in: headers, now: now) {
            found.append((0, seconds))
        }
        let sensible = found.filter { $0.remaining >= 0 && $0.reset > 0 }
        guard let last = sensible.max(by: { $0.reset / ($0.remaining + 1) < $1.reset / ($1.remaining + 1) })
        else { return nil }
        (remaining, reset) = (Int(min(last.remaining, 1e9)), last.reset)
    }

    private typealias Quota = (remaining: Double, reset: TimeInterval)

    /// `RateLimit: "default";r=50;t=30`; without `t`, the window `w` of the policy of that name. Before version 08 of the draft:
    /// `RateLimit: limit=100, remaining=50, reset=30`.
    private static func quotas(_ headers: HTTPFields) -> [Quota] {
        let text = headers.values(of: "RateLimit").joined(separator: ",")
        guard !text.isEmpty else { return [] }
        let items = items(text)
        if let remaining = items["remaining"]?[""], let reset = items["reset"]?[""] {
            return [(remaining, reset)]
        }
        let policies = self.items(headers.values(of: "RateLimit-Policy").joined(separator: ","))
        return items.compactMap { name, params in
            guard let remaining = params["r"], let reset = params["t"] ?? policies[name]?["w"] else {
                return nil
            }
            return (remaining, reset)
        }
    }

    /// The numbers of a list of items with parameters, or of a dictionary (RFC 9651), by name; the value of a member is under the
    /// empty name. What is no number is left out.
    private static func items(_ text: String) -> [String: [String: Double]] {
        var items: [String: [String: Double]] = [:]
        let all = text.utf8.prefix(limit + 1).split(separator: UInt8(ascii: ","))
        // The last of too many is not whole.
        let whole = text.utf8.count > limit ? all.dropLast() : all[...]
        for bytes in whole {
            let item = String(decoding: bytes, as: UTF8.self)
            let parts = item.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            guard let first = parts.first else { continue }
            let head = first.split(separator: "=", maxSplits: 1).map(String.init)
            guard let name = head.first?.trimmingCharacters(in: CharacterSet(charactersIn: "\"")) else {
                continue
            }
            var params: [String: Double] = [:]
            params[""] = head.count == 2 ? Double(head[1]) : nil
            for part in parts.dropFirst() {
                let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
                if pair.count == 2 { params[pair[0]] = Double(pair[1]) }
            }
            items[name] = params
        }
        return items
    }

    /// The maximum length of a field that is read.
    private static let limit = 4096

    private static func number(_ headers: HTTPFields, _ name: String) -> Double? {
        // Repeated fields are invalid; the first is as good as any.
        (try? HTTPFields.Name(validating: name)).flatMap { headers[$0] }.flatMap {
            Double($0.prefix { $0 != "," && $0 != ";" }.trimmingCharacters(in: .whitespaces))
        }
    }

    /// A reset is in seconds from now, or a date in seconds or milliseconds since 1970: no backend has a window of 30 years.
    private static func seconds(_ reset: Double, _ now: Date) -> TimeInterval {
        guard reset > 1e9 else { return reset }
        return (reset > 1e12 && reset < 1e14 ? reset / 1000 : reset) - now.timeIntervalSince1970
    }
}
