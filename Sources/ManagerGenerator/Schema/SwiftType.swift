/// The Swift type of a value.
indirect enum SwiftType: Hashable, Sendable {
    case bool, int, int64, uint64, double, decimal, string, date, fullDate, uuid
    /// Bytes as Base64 in a JSON string.
    case data
    /// Anything.
    case json
    /// Bytes as they are: a part of a form, a body.
    case file
    case array(SwiftType)
    case dictionary(SwiftType)
    case optional(SwiftType)
    /// In an optional: `null` is sent, and `nil` is left out.
    case nullable(SwiftType)
    /// By its index in ``Schemas/models``.
    case model(Int)

    /// The type of a value that may be `null`; anything may be without that.
    var orNull: SwiftType {
        switch self {
        case .optional, .json: self
        default: .optional(self)
        }
    }

    var wrapped: SwiftType {
        if case .optional(let wrapped) = self { wrapped } else { self }
    }

    var isOptional: Bool {
        if case .optional = self { true } else { false }
    }

    /// Whether `null` and absence are two states.
    var isClearable: Bool {
        if case .nullable = wrapped { true } else { false }
    }

    /// The models in it, those inside arrays and dictionaries too.
    var models: [Int] {
        switch self {
        case .array(let element), .dictionary(let element), .optional(let element), .nullable(let element):
            element.models
        case .model(let index): [index]
        default: []
        }
    }

    /// Whether a string or number in a URL can be it.
    var isScalar: Bool {
        switch self {
        case .array, .dictionary, .optional, .nullable, .model, .json, .file: false
        default: true
        }
    }
}
