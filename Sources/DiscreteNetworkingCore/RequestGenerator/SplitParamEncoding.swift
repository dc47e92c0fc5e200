/// Some params in the URL's query, the others elsewhere: a page number beside a JSON body.
///
/// ```swift
/// override var encoding: (any ParamEncoding)? {
///     .query(["page", "cid"], rest: .json)
/// }
/// ```
/// The extra params of the service are among them. A name that no param has does nothing.
public struct SplitParamEncoding: ParamEncoding {
    /// The params that go in the query.
    public var names: Set<String>
    /// How those are written.
    public var query: QueryParamEncoding
    /// Where the others go.
    public var rest: any ParamEncoding

    /// Creates an encoding; see the properties for each value.
    public init(
        names: Set<String>, query: QueryParamEncoding = QueryParamEncoding(), rest: any ParamEncoding
    ) {
        self.names = names
        self.query = query
        self.rest = rest
    }

    public func encode(_ params: Params, into request: inout APIRequest) throws {
        try query.encode(Params(values: params.values.filter { names.contains($0.key) }), into: &request)
        try rest.encode(params.removing(names), into: &request)
    }
}

extension ParamEncoding where Self == SplitParamEncoding {
    /// Those named in the URL's query, the rest by another encoding.
    public static func query(
        _ names: Set<String>, _ encoder: QueryEncoder = QueryEncoder(), rest: any ParamEncoding
    ) -> Self {
        Self(names: names, query: QueryParamEncoding(encoder), rest: rest)
    }
}
