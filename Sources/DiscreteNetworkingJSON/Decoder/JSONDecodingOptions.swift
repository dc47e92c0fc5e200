import Foundation

/// The strategies of a `JSONDecoder`, where all of them are known. An object, because each decoding refers to them.
final class JSONDecodingOptions: Sendable {
    /// The strings for numbers that JSON does not have.
    struct FloatNames: Sendable {
        let positiveInfinity: String
        let negativeInfinity: String
        let nan: String
    }

    let dates: JSONDecoder.DateDecodingStrategy
    let data: JSONDecoder.DataDecodingStrategy
    let floatNames: FloatNames?
    let convertsSnakeCase: Bool
    let userInfo: [CodingUserInfoKey: any Sendable]

    /// Returns `nil` if the results of the decoder cannot be predicted.
    init?(_ decoder: JSONDecoder) {
        // Earlier ones read another dictionary, with other rules for equal keys.
        guard #available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *) else { return nil }
        guard type(of: decoder) == JSONDecoder.self, !decoder.allowsJSON5, !decoder.assumesTopLevelDictionary
        else { return nil }
        switch decoder.keyDecodingStrategy {
        case .useDefaultKeys: convertsSnakeCase = false
        case .convertFromSnakeCase: convertsSnakeCase = true
        case .custom: return nil
        @unknown default: return nil
        }
        dates = decoder.dateDecodingStrategy
        switch dates {
        case .deferredToDate, .secondsSince1970, .millisecondsSince1970, .iso8601, .custom: break
        #if canImport(Darwin)
            case .formatted: return nil
        #endif
        @unknown default: return nil
        }
        data = decoder.dataDecodingStrategy
        switch data {
        case .base64, .deferredToData, .custom: break
        @unknown default: return nil
        }
        switch decoder.nonConformingFloatDecodingStrategy {
        case .throw: floatNames = nil
        case .convertFromString(let positive, let negative, let nan):
            floatNames = FloatNames(positiveInfinity: positive, negativeInfinity: negative, nan: nan)
        @unknown default: return nil
        }
        userInfo = decoder.userInfo
    }
}

extension JSONDecoder.KeyDecodingStrategy {
    /// Converts as documented for `.convertFromSnakeCase`: capitalizes the letter after each underscore and removes
    /// underscores, except leading and trailing ones.
    package static func camelCase(_ key: String) -> String {
        let head = key.prefix { $0 == "_" }
        let tail = key.dropFirst(head.count).reversed().prefix { $0 == "_" }.count
        let words = key.dropFirst(head.count).dropLast(tail).split(separator: "_")
        guard words.count > 1 else { return key }
        return head + words[0].lowercased() + words.dropFirst().map(\.capitalized).joined()
            + String(repeating: "_", count: tail)
    }
}
