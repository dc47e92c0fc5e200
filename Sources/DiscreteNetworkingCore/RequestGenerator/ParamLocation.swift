/// The location of one param in a request, and its serialization there (OpenAPI 3.1 section 4.8.12, RFC
/// 6570).
///
/// ```swift
/// override var encoding: (any ParamEncoding)? {
///     .placed([
///         "tags": .query(.pipeDelimited), "X-Trace": .header, "order": .json,
///     ])
/// }
/// ```
public struct ParamLocation: Sendable, Hashable {
    /// The serialization of arrays and objects in a query or a form.
    public enum Style: Sendable, Hashable {
        /// `a=1&a=2`, and `x=1&y=2` for an object; without `explode`, `a=1,2` and `a=x,1,y,2`.
        case form
        /// `a=1%202`
        case spaceDelimited
        /// `a=1%7C2`
        case pipeDelimited
        /// `a=1%092`, the `tsv` of Swagger 2.0
        case tabDelimited
        /// `a[x]=1&a[y]=2`; inside of it an object as `a[x][z]=1`, an array as `a[x][]=1&a[x][]=2`, and an array of objects
        /// as `a[0][x]=1&a[1][x]=2`, which OpenAPI leaves open
        case deepObject
        /// `a={"x":1}`
        case json
    }

    enum Kind: Hashable {
        case query(Style)
        case header, cookie
        case field(Style)
        case text(contentType: String)
        case json(contentType: String)
    }

    let kind: Kind
    /// The name in the request; `nil` if it is the name of the param.
    let name: String?
    let explodes: Bool
    /// Arrays that contain objects or arrays, in the style ``Style/deepObject``.
    var objectArrays = QueryEncoder.ObjectArrays.indexed

    /// In the query: `a=1&a=2`.
    public static let query = query()
    /// In the header field with its name: `1,2`.
    public static let header = header()
    /// In the `Cookie` header (RFC 6265).
    public static let cookie = cookie()
    /// A form field in the body.
    public static let field = field()
    /// The whole body, as JSON.
    public static let json = json()

    /// In the query.
    /// - Parameters:
    ///   - explode: whether each element of an array or object is a pair of its own. The default is `true` for
    ///     ``Style/form`` only.
    ///   - name: the name in the request. The default is the name of the param.
    public static func query(
        _ style: Style = .form, explode: Bool? = nil, named name: String? = nil
    ) -> Self {
        Self(kind: .query(style), name: name, explodes: explode ?? (style == .form))
    }

    /// In a header field: an array as `1,2`, an object as `x,1,y,2`, or as `x=1,y=2` with `explode`.
    /// - Parameter name: the name in the request. The default is the name of the param.
    public static func header(explode: Bool = false, named name: String? = nil) -> Self {
        Self(kind: .header, name: name, explodes: explode)
    }

    /// In the `Cookie` header (RFC 6265), percent-encoded; an array as `a=1,2`.
    /// - Parameter name: the name in the request. The default is the name of the param.
    public static func cookie(named name: String? = nil) -> Self {
        Self(kind: .cookie, name: name, explodes: false)
    }

    /// A form field in the body. Each element of an array is a field of its own; an object is JSON, except in the style
    /// ``Style/deepObject``.
    ///
    /// ```swift
    /// override var encoding: (any ParamEncoding)? {
    ///     .placed([
    ///         // items[0][price]=7
    ///         "items": .field(.deepObject),
    ///         // rows[][price]=7
    ///         "rows": .field(.deepObject, objectArrays: .brackets),
    ///     ])
    /// }
    /// ```
    /// - Parameters:
    ///   - explode: whether each element of an array is a field of its own.
    ///   - objectArrays: the encoding of arrays that contain objects or arrays, in the style ``Style/deepObject``.
    ///   - name: the name in the request. The default is the name of the param.
    public static func field(
        _ style: Style = .form, explode: Bool = true,
        objectArrays: QueryEncoder.ObjectArrays = .indexed, named name: String? = nil
    ) -> Self {
        Self(kind: .field(style), name: name, explodes: explode, objectArrays: objectArrays)
    }

    /// The whole body, as JSON; the body of a `null` param is `null`.
    public static func json(contentType: String = "application/json") -> Self {
        Self(kind: .json(contentType: contentType), name: nil, explodes: false)
    }

    /// The whole body, as UTF-8 text.
    public static func text(contentType: String = "text/plain; charset=utf-8") -> Self {
        Self(kind: .text(contentType: contentType), name: nil, explodes: false)
    }
}

extension ParamLocation {
    /// The name-value pairs of a value, before percent-encoding.
    func pairs(_ key: String, _ value: JSONValue) -> [(name: String, value: String)] {
        let name = name ?? key
        let (style, isField) =
            switch kind {
            case .query(let style): (style, false)
            case .field(let style): (style, true)
            default: (Style.form, false)
            }
        switch (value, style) {
        case (.null, _): return []
        case (_, .json): return [(name, value.canonicalText)]
        case (.object(let members), .deepObject):
            return JSONWriter.sorted(members.keys).flatMap { member in
                nested.pairs("\(name)[\(member)]", members[member] ?? .null)
            }
        case (.array(let elements), .deepObject):
            let isIndexed = objectArrays == .indexed && elements.contains(where: \.isContainer)
            return elements.enumerated().flatMap { index, element in
                nested.pairs(isIndexed ? "\(name)[\(index)]" : "\(name)[]", element)
            }
        case (.object, _) where isField: return [(name, value.canonicalText)]
        case (.object(let members), _) where explodes:
            return JSONWriter.sorted(members.keys).flatMap {
                ParamLocation.query.pairs($0, members[$0] ?? .null)
            }
        case (.array(let elements), _) where explodes:
            return elements.filter { !$0.isNull }.map { (name, Self.text($0)) }
        default:
            let texts = texts(value)
            return texts.isEmpty ? [] : [(name, texts.joined(separator: separator(style)))]
        }
    }

    /// The location of what is inside an object or an array in the style ``Style/deepObject``.
    private var nested: Self {
        Self(kind: .query(.deepObject), name: nil, explodes: false, objectArrays: objectArrays)
    }

    /// The elements of a value that are joined into one.
    func texts(_ value: JSONValue) -> [String] {
        switch value {
        case .null: []
        case .array(let elements): elements.filter { !$0.isNull }.map(Self.text)
        case .object(let members):
            JSONWriter.sorted(members.keys).flatMap { name -> [String] in
                guard let value = members[name], !value.isNull else { return [] }
                return explodes ? ["\(name)=\(Self.text(value))"] : [name, Self.text(value)]
            }
        default: [Self.text(value)]
        }
    }

    private func separator(_ style: Style) -> String {
        switch style {
        case .spaceDelimited: " "
        case .pipeDelimited: "|"
        case .tabDelimited: "\t"
        case .form, .deepObject, .json: ","
        }
    }

    static func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let string): string
        case .number(let number): number.literal
        case .null, .bool, .array, .object: value.canonicalText
        }
    }
}
