import DiscreteNetworkingCore
import DiscreteNetworkingJSON
import Foundation

/// Params as they are on disk.
enum StoredParams: Codable, Equatable, Sendable {
    /// Canonical JSON, in which numbers are exact.
    case plain(String)
    case sealed(Data)

    /// Why params cannot be on disk.
    enum Problem: Error {
        case secretParam(String)
        case nestedTooDeeply(limit: Int)
        /// The app's closure provides the message.
        case seal(String)
    }

    /// - Parameters:
    ///   - seal: Encrypts the params; `nil` for plain text, in which no param may be secret by its name.
    ///   - redaction: Which names are secret.
    init(_ params: Params, _ seal: OutboxSeal?, _ redaction: Redaction) throws(Problem) {
        guard !params.jsonValue.isDeeper(than: JSONWalker.depthLimit) else {
            throw .nestedTooDeeply(limit: JSONWalker.depthLimit)
        }
        let text = params.canonical
        guard let seal else {
            if let name = Self.secretName(in: params.jsonValue, redaction) { throw .secretParam(name) }
            self = .plain(text)
            return
        }
        do {
            self = .sealed(try seal.seal(Data(text.utf8)))
        } catch {
            throw .seal(String(describing: error))
        }
    }

    /// Returns the name of a param that may not be on the disk as plain text.
    private static func secretName(in value: JSONValue, _ redaction: Redaction) -> String? {
        switch value {
        case .object(let members):
            for (name, member) in members {
                if redaction.isSecret(param: name) { return name }
                if let inner = secretName(in: member, redaction) { return inner }
            }
            return nil
        case .array(let elements):
            return elements.lazy.compactMap { secretName(in: $0, redaction) }.first
        default: return nil
        }
    }

    /// Returns the params.
    /// - Throws: What the seal throws; `DecodingError` if they are sealed and there is no seal, or are not a JSON object.
    func opened(by seal: OutboxSeal?) throws -> Params {
        let text: String
        switch self {
        case .plain(let plain): text = plain
        case .sealed(let data):
            guard let seal else { throw Self.problem("The params are sealed, the manager has no seal.") }
            text = String(decoding: try seal.open(data), as: UTF8.self)
        }
        guard let value = try? JSONValue(parsing: Data(text.utf8)), case .object(let members) = value else {
            throw Self.problem("The params are not a JSON object.")
        }
        return Params(values: members)
    }

    private static func problem(_ text: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: [], debugDescription: text))
    }
}
