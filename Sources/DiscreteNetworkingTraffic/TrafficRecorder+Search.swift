import DiscreteNetworkingCore
import DiscreteNetworkingHTTP
import DiscreteNetworkingJSON
import Foundation

extension TrafficRecorder {
    /// Returns the calls that contain all of some texts: in their params, URLs, header fields, bodies or errors. What is
    /// redacted is not found. Upper and lower case are equal.
    package func calls(among numbers: [UInt64], containing texts: [String]) -> [UInt64] {
        let texts = texts.map { $0.lowercased() }
        return numbers.filter { number in
            guard let call = call(number) else { return false }
            let text = Self.searchableText(of: HTTPArchive.text(of: [call], RenewalLinks([]), redaction))
            return texts.allSatisfy(text.contains)
        }
    }

    /// A text without secrets.
    package func redacted(_ text: String) -> String { redaction.redacted(text: text) }

    /// Returns the cURL command of a request with its secrets; `nil` if it is gone.
    /// - Parameter index: The index of the request among the requests of the call.
    package func curlWithSecrets(of number: UInt64, request index: Int) -> String? {
        guard let exchanges = call(number)?.exchanges, exchanges.indices.contains(index),
            (exchanges[index].uncompressedSize ?? 0) <= 64 << 10
        else { return nil }
        return exchanges[index].request.curlCommand(redaction: .none)
    }

    /// The names of the format are not searched, so that `status` finds a param and not every call.
    private static func searchableText(of archive: JSONValue) -> String {
        guard let log = archive["log"] else { return "" }
        var parts: [String?] = []
        for page in log["pages"]?.array ?? [] {
            parts += ["_error", "_businessMessage", "title", "_manager", "_tag"].map { page[$0]?.string }
            parts.append(page["_params"]?.canonicalText)
        }
        for entry in log["entries"]?.array ?? [] {
            let (request, response) = (entry["request"], entry["response"])
            parts += [
                request?["url"]?.string, request?["postData"]?["text"]?.string,
                response?["content"]?["text"]?.string, entry["_error"]?.string,
            ]
            let fields = (request?["headers"]?.array ?? []) + (response?["headers"]?.array ?? [])
            parts += fields.map { "\($0["name"]?.string ?? ""): \($0["value"]?.string ?? "")" }
        }
        return parts.compactMap(\.self).joined(separator: "\n").lowercased()
    }
}
