extension IdempotencyKey {
    /// Adds the key to the params of a call, if it belongs there.
    func added(to call: APICall, at location: IdempotencyKeyLocation) throws(InvalidRequestError) -> APICall {
        // A quoted string has no other characters (RFC 9651 section 3.3.3).
        guard !rawValue.isEmpty, rawValue.utf8.allSatisfy({ 0x20...0x7e ~= $0 }) else {
            throw InvalidRequestError(
                "The idempotency key \(rawValue.debugDescription) is empty or not printable ASCII; use IdempotencyKey()."
            )
        }
        guard case .param(let name) = location else { return call }
        var call = call
        call.params = call.params.merging([name: rawValue])
        return call
    }

    /// Sets the header field with the key, if it belongs there.
    func add(to headers: inout HTTPFields, at location: IdempotencyKeyLocation) {
        switch location {
        case .header(let name): headers[name] = rawValue
        case .quotedHeader(let name):
            let escaped = rawValue.reduce(into: "") { text, character in
                if character == "\"" || character == "\\" { text += "\\" }
                text.append(character)
            }
            headers[name] = "\"\(escaped)\""
        case .param: break
        }
    }
}
