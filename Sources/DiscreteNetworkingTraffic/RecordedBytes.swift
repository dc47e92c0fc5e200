import DiscreteNetworkingCore
import DiscreteNetworkingHTTP
import DiscreteNetworkingJSON
import Foundation

// The approximate size in memory of what is kept of a call. Rather too large than too small.

extension APIRequest {
    /// Returns the request without what only its transport needs, its body cut.
    func recorded(bodyLimit: Int) -> APIRequest {
        func kept(_ data: Data) -> Data { RecordedResponse.kept(data, limit: bodyLimit) }
        var copy = APIRequest(
            url: url, method: method, headers: headers, credential: credential, timeout: timeout,
            destination: destination)
        switch body {
        case .none, .file: copy.body = body
        case .data(let data): copy.body = .data(kept(data))
        case .stream(let length, _): copy.body = .stream(length: length) { AsyncThrowingStream { nil } }
        }
        copy.notes.pathParams = notes.pathParams
        copy.notes.csrf = notes.csrf
        copy.notes.bodyParams = notes.bodyParams
        copy.notes.uncompressed = notes.uncompressed.map(kept)
        copy.notes.identity.plain = notes.identity.plain.map {
            RequestIdentity.PlainBody(kept($0.data), type: $0.type)
        }
        return copy
    }

    /// The size of a request that was made for a recording.
    var bytes: Int {
        let data = if case .data(let data) = body { data.count } else { 0 }
        return url.bytes + headers.bytes + data + (notes.identity.plain?.data.count ?? 0)
            + (notes.uncompressed?.count ?? 0) + Params(values: notes.pathParams).bytes
            + Params(values: notes.bodyParams).bytes
    }
}

extension RequestBody {
    /// The length of the body; `nil` if unknown.
    var size: Int? {
        switch self {
        case .none: 0
        case .data(let data): data.count
        case .stream(let length, _): length.map { Int(clamping: $0) }
        case .file: nil
        }
    }
}

extension APICall {
    /// The size of a call that was made for a recording.
    var bytes: Int {
        1024 + params.bytes + methodName.utf8.count + path.utf8.count + (tag?.rawValue.utf8.count ?? 0)
    }
}

extension URL {
    /// Foundation keeps the text and what it parsed of it.
    var bytes: Int { 256 + 2 * absoluteString.utf8.count }
}

extension HTTPFields {
    var bytes: Int { reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 96 } }
}

extension Params {
    var bytes: Int { JSONValue.object(values).bytes }
}

extension JSONValue {
    /// Iterative, because params can be nested to any depth.
    var bytes: Int {
        var (bytes, rest) = (0, [self])
        while let value = rest.popLast() {
            bytes += MemoryLayout<JSONValue>.stride
            switch value {
            case .null, .bool: break
            case .number(let number): bytes += number.literal.bytes
            case .string(let string): bytes += string.bytes
            case .array(let elements):
                bytes += 32
                rest += elements
            case .object(let members):
                // A dictionary has up to twice as many places as members.
                bytes += 96 + members.count * 48
                for member in members {
                    bytes += member.key.bytes
                    rest.append(member.value)
                }
            }
        }
        return bytes
    }
}

extension String {
    /// What is beyond the string itself, which has room for 15 bytes.
    fileprivate var bytes: Int { utf8.count < 16 ? 0 : utf8.count + 48 }
}
