extension APICall {
    /// Returns the call with the params of its method name.
    /// - Throws: ``InvalidRequestError`` if the call has a param of the same name: one of them would be lost.
    func adding(_ query: Params) throws(InvalidRequestError) -> APICall {
        for name in query.names where params[name].map({ !$0.isNull }) == true {
            throw InvalidRequestError(
                "The param \(name.debugDescription) is in the query of the method name \(methodName.debugDescription) as well; pass it once."
            )
        }
        for name in query.names {
            guard let other = params.names.first(where: { Self.isWhole($0, ofMember: name) }) else {
                continue
            }
            throw InvalidRequestError(
                "The params \(other.debugDescription) and \(name.debugDescription), one of which is in the query of the method name \(methodName.debugDescription), are one value for most servers; pass it once."
            )
        }
        var call = self
        call.params = params.merging(query)
        return call
    }

    /// Whether one of two names is a member of the other, as `c[]` of `c`: PHP keeps only the last of them.
    private static func isWhole(_ name: String, ofMember other: String) -> Bool {
        name.hasPrefix(other + "[") || other.hasPrefix(name + "[")
    }
}

extension ParamEncoding {
    /// Encodes the params of a call, including the params of its method name.
    ///
    /// If params go in the body, the params of the method name stay in the query: they identify the endpoint.
    func encode(_ params: Params, withQuery query: Params, into request: inout APIRequest) throws {
        let isOne = self is QueryParamEncoding || request.method == .get || request.method == .head
        guard !isOne else { return try encode(params, into: &request) }
        let names = Set(query.names)
        try QueryParamEncoding().encode(
            Params(values: params.values.filter { names.contains($0.key) }), into: &request)
        try encode(params.removing(names), into: &request)
    }
}
