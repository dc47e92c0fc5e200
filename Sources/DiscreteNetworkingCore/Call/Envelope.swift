import Foundation

/// The wrapper that a backend puts around every payload, such as `{"code":0,"msg":"","content":{…}}`.
///
/// ```swift
/// func envelope(for call: APICall) -> Envelope? {
///     Envelope(code: "code", success: [0], message: "msg", payload: "content")
/// }
/// ```
///
/// A code that is not in `success` fails the call with ``APIError/Kind/business(code:message:)``. The
/// output is decoded from the bytes at ``Layer/payload``; nothing is serialized again.
///
/// Some backends send a code, or an error, only with a failure:
///
/// ```swift
/// // WeChat.
/// Envelope(code: "errcode", absentCode: 0, message: "errmsg")
/// Envelope(
///     // GraphQL.
///     failure: "errors", code: "errors.0.extensions.code",
///     message: "errors.0.message", payload: "data")
/// ```
public struct Envelope: Sendable, Hashable {
    /// One level of an envelope.
    public struct Layer: Sendable, Hashable {
        /// The path of a member that only a failed response has, such as `"errors"`; `nil` if this layer has none.
        ///
        /// The call fails if there is a value other than `null`, `false`, and an empty string, array or object.
        public var failure: JSONPath?
        /// The path of the business code; `nil` if this layer has none.
        public var code: JSONPath?
        /// The codes that mean success.
        public var success: [JSONValue]
        /// The code of a response that has none, or `null`. If this is `nil`, decoding such a response fails, unless the
        /// layer has a ``failure`` path.
        public var absentCode: JSONValue?
        /// The path of the message for a failure; `nil` if there is none.
        public var message: JSONPath?
        /// The path of the payload; `nil` if the payload is this layer itself.
        public var payload: JSONPath?
        /// How the code is compared.
        public var codes: Codes
        /// Whether a payload that a response has beside its ``failure`` is delivered as a success; see
        /// ``APIResponse/isPartial``.
        public var deliversPartialPayload: Bool
    }

    /// How a code is compared with the success codes, and represented in errors.
    public enum Codes: Sendable, Hashable {
        /// Exactly: `0` and `"0"` differ. The error of a code that differs only in its type says so.
        case asWritten
        /// As an integer, whether it is `10001` or `"10001"`. Other values are compared exactly.
        case integers
    }

    /// No envelope: the body is the payload.
    public static let bare: Envelope = {
        var envelope = Envelope()
        envelope.layers = []
        return envelope
    }()

    /// The layers, outermost first.
    public private(set) var layers: [Layer]

    /// Creates an envelope with one layer.
    /// - Parameters:
    ///   - failure: the path of a member that only a failed response has; see ``Layer/failure``.
    ///   - code: the path of the business code.
    ///   - success: the codes that mean success; see `codes`.
    ///   - absentCode: the code of a response that has none; if `nil`, decoding such a response fails, unless there is a
    ///     `failure` path.
    ///   - message: the path of the message for a failure.
    ///   - payload: the path of the payload; if `nil`, the payload is the whole body.
    ///   - codes: how codes are compared.
    ///   - deliversPartialPayload: whether a payload beside a `failure` is a success; see ``APIResponse/isPartial``.
    public init(
        failure: JSONPath? = nil, code: JSONPath? = nil, success: [JSONValue] = [0],
        absentCode: JSONValue? = nil, message: JSONPath? = nil, payload: JSONPath? = nil,
        codes: Codes = .asWritten, deliversPartialPayload: Bool = false
    ) {
        layers = [
            Layer(
                failure: failure, code: code, success: success, absentCode: absentCode, message: message,
                payload: payload, codes: codes, deliversPartialPayload: deliversPartialPayload)
        ]
    }

    /// Returns an envelope that has another envelope, with its own code, as its payload.
    ///
    /// ```swift
    /// // {"code":0,"msg":"…","content":{"code":0,"re":{…}}}
    /// Envelope(code: "code", message: "msg", payload: "content").containing(
    ///     Envelope(code: "code", payload: "re"))
    /// ```
    /// If the inner envelope has no message path, the outer message applies to its code as well.
    public func containing(_ inner: Envelope) -> Envelope {
        var nested = self
        nested.layers += inner.layers
        return nested
    }
}
