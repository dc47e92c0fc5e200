import DiscreteNetworkingCore
import DiscreteNetworkingHTTP
import DiscreteNetworkingJSON
import Foundation

/// Requests and responses in the format HTTP Archive, without secrets.
enum HARMessages {
    static func request(_ exchange: RecordedExchange, _ redaction: Redaction) -> JSONValue {
        let request = exchange.request
        let url = redaction.redacted(request)
        var value: [String: JSONValue] = [
            "method": .string(request.method.rawValue), "url": .string(escapingMark(in: url)),
            "httpVersion": .string(exchange.response?.metrics?.protocolVersion ?? "unknown"),
            "headers": headers(redaction.redactedHeaders(of: request)), "queryString": query(url),
            "cookies": .array(
                request.headers.values(of: "Cookie").flatMap { $0.split(separator: ";") }.map {
                    cookie($0, redaction)
                }),
            "headersSize": -1, "bodySize": .number(JSONNumber(exchange.requestSize ?? -1)),
        ]
        value["postData"] = postData(exchange, redaction)
        return .object(value)
    }

    static func response(_ exchange: RecordedExchange, _ redaction: Redaction) -> JSONValue {
        guard let response = exchange.response else {
            return [
                "status": 0, "statusText": "", "httpVersion": "unknown", "cookies": [], "headers": [],
                "content": ["size": 0, "_isSizeUnknown": true, "mimeType": "x-unknown"], "redirectURL": "",
                "headersSize": -1, "bodySize": -1,
            ]
        }
        let location = response.headers["Location"].map { redaction.redacted(text: $0) } ?? ""
        return [
            "status": .number(JSONNumber(response.status)), "statusText": "",
            "httpVersion": .string(response.metrics?.protocolVersion ?? "unknown"),
            "cookies": .array(response.headers.values(of: "Set-Cookie").map { setCookie($0, redaction) }),
            "headers": headers(redaction.redacted(response.headers)),
            "content": content(of: response, exchange.request, redaction), "redirectURL": .string(location),
            "headersSize": -1,
            "bodySize": (response.metrics?.bytesReceived).map { .number(JSONNumber($0)) } ?? -1,
        ]
    }

    // MARK: Fields

    /// - Parameter fields: The fields without secrets.
    private static func headers(_ fields: HTTPFields) -> JSONValue {
        .array(
            fields.map {
                ["name": .string($0.name.rawName), "value": .string($0.value)]
            })
    }

    private static func query(_ url: String) -> JSONValue {
        let query = url.utf8.split(separator: UInt8(ascii: "#"), maxSplits: 1)[0]
            .split(separator: UInt8(ascii: "?"), maxSplits: 1).dropFirst().first
        let pairs = query?.split(separator: UInt8(ascii: "&")) ?? []
        return .array(
            pairs.map { pair in
                let halves = pair.split(
                    separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false
                ).map { String(decoding: PercentEncoding.decoded(Array($0)), as: UTF8.self) }
                return ["name": .string(halves[0]), "value": .string(halves.count > 1 ? halves[1] : "")]
            })
    }

    /// A URL has no angle brackets (RFC 3986).
    private static func escapingMark(in url: String) -> String {
        url.replacingOccurrences(of: Redaction.mark, with: PercentEncoding.unreserved.encode(Redaction.mark))
    }

    /// Cookies have their names, but their values are secret.
    private static func cookie(_ pair: Substring, _ redaction: Redaction) -> JSONValue {
        let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        let value = halves.count > 1 ? halves[1] : ""
        let isSecret = redaction.isSecret(header: "Cookie")
        return [
            "name": .string(redaction.redacted(text: halves[0])),
            "value": .string(isSecret ? Redaction.mark : redaction.redacted(text: value)),
        ]
    }

    private static func setCookie(_ line: String, _ redaction: Redaction) -> JSONValue {
        let parts = line.split(separator: ";", omittingEmptySubsequences: false)
        var value = cookie(parts.first ?? "", redaction).object ?? [:]
        for part in parts.dropFirst() {
            let halves = part.split(separator: "=", maxSplits: 1).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            switch (halves.first?.lowercased(), halves.count > 1 ? halves[1] : "") {
            // A server may repeat a secret here as well.
            case ("path", let path): value["path"] = .string(redaction.redacted(text: path))
            case ("domain", let domain): value["domain"] = .string(redaction.redacted(text: domain))
            case ("httponly", _): value["httpOnly"] = true
            case ("secure", _): value["secure"] = true
            case ("expires", let text):
                value["expires"] = HTTPDate.seconds(text).map {
                    HTTPArchive.time(Date(timeIntervalSince1970: TimeInterval($0)))
                }
            default: break
            }
        }
        return .object(value)
    }

    // MARK: Bodies

    private static func postData(_ exchange: RecordedExchange, _ redaction: Redaction) -> JSONValue? {
        let request = exchange.request
        var value: [String: JSONValue] = [
            "mimeType": .string(redaction.redacted(text: request.headers["Content-Type"] ?? ""))
        ]
        // Its headers are those that were sent.
        let readable = request.uncompressed
        switch readable.body {
        case .none: return nil
        case .file(let url):
            value["text"] = ""
            value["comment"] = .string("The file \(url.lastPathComponent) is not recorded.")
        case .stream:
            value["text"] = ""
            value["comment"] = "A stream is not recorded."
        case .data(let data):
            let body = HARBody(
                data, of: exchange.uncompressedSize ?? data.count, type: request.headers["Content-Type"],
                isReadable: readable.hasReadableBody, redaction)
            value["text"] = .string(body.text)
            if body.isBase64 { value["_encoding"] = "base64" }
            value["comment"] = body.comment
            if request.isCompressed, let size = exchange.requestSize {
                let comment = [body.comment?.string, "Sent compressed, as \(size) bytes."].compactMap(\.self)
                value["comment"] = .string(comment.joined(separator: " "))
            }
        }
        return .object(value)
    }

    private static func content(
        of response: RecordedResponse, _ request: APIRequest, _ redaction: Redaction
    ) -> JSONValue {
        var value: [String: JSONValue] = [
            "size": .number(JSONNumber(response.size ?? 0)),
            "mimeType": .string(redaction.redacted(text: response.headers["Content-Type"] ?? "x-unknown")),
        ]
        // The format has no number for an unknown size.
        if response.size == nil { value["_isSizeUnknown"] = true }
        if let received = response.metrics?.bytesReceived, let size = response.size, size > 0 {
            // The bytes saved; a short text takes more when it is compressed.
            value["compression"] = .number(JSONNumber(max(0, Int64(size) - received)))
        }
        switch request.destination {
        case .memory: break
        case .file(let url):
            if response.size == nil {
                value["comment"] = .string(
                    redaction.redacted(text: "Written to the file \(url.lastPathComponent)."))
            }
        case .stream: if response.size == nil { value["comment"] = "A stream is not recorded." }
        }
        if let name = response.fileName { value["comment"] = .string("Written to the file \(name).") }
        guard !response.body.isEmpty else { return .object(value) }
        let body = HARBody(
            response.body, of: response.size ?? response.body.count,
            type: response.headers["Content-Type"], isReadable: true, redaction)
        value["text"] = .string(body.text)
        if body.isBase64 { value["encoding"] = "base64" }
        value["comment"] = body.comment
        return .object(value)
    }
}

/// A body as text, or in Base64.
private struct HARBody {
    let text: String
    let isBase64: Bool
    var comment: JSONValue?

    init(_ kept: Data, of size: Int, type: String?, isReadable: Bool, _ redaction: Redaction) {
        guard isReadable || redaction == .none else {
            (text, isBase64) = (Redaction.mark, false)
            comment = "A body that is compressed or transformed may contain secrets."
            return
        }
        guard let searchable = redaction == .none ? kept : kept.searchable(as: type) else {
            (text, isBase64) = (Redaction.mark, false)
            comment = "A text in an unknown encoding may contain secrets."
            return
        }
        var bytes = redaction.redacted(bytes: [UInt8](searchable))
        if kept.count < size {
            // Half a secret is not found: what stands at the cut is left out.
            bytes.removeLast(min(bytes.count, RecordedResponse.reserve))
            while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
            if let last = bytes.last, last >= 0xC0 { bytes.removeLast() }
            comment = .string("The first \(bytes.count) of \(size) bytes.")
        }
        let string = bytes.contains(0) ? nil : String(bytes: bytes, encoding: .utf8)
        text = string ?? Data(bytes).base64EncodedString()
        isBase64 = string == nil
    }
}
