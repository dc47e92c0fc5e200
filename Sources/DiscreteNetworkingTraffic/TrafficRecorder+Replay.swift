package import DiscreteNetworkingCore
package import DiscreteNetworkingHTTP
package import DiscreteNetworkingJSON

/// A recorded call that cannot be sent again.
package struct ReplayError: Error {
    package let reason: String
}

extension TrafficRecorder {
    /// Sends a recorded call again, through the pipeline: with the tokens and the signature of now. Its manager receives
    /// nothing.
    /// - Parameters:
    ///   - params: Other params; a redacted text in them is replaced by the recorded one. `nil` for the recorded ones.
    ///   - headers: Header fields that are added or replaced.
    /// - Returns: The number of the new call.
    package func replay(
        _ number: UInt64, params: JSONValue?, headers: HTTPFields
    ) throws(ReplayError) -> RequestID {
        guard let recorded = call(number) else { throw ReplayError(reason: "The call is gone.") }
        if let reason = recorded.reasonNotToReplay { throw ReplayError(reason: reason) }
        let original = JSONValue.object(recorded.call.params.values)
        guard case .object(let values) = params.map({ Self.restored($0, from: original) }) ?? original else {
            throw ReplayError(reason: "Params are a JSON object.")
        }
        guard let requestID = recorded.call.sendAgain(with: Params(values: values), adding: headers) else {
            throw ReplayError(reason: "The proxy of the call is gone.")
        }
        return requestID
    }

    /// Replaces texts that are redacted by what is at the same place of the original.
    private static func restored(_ value: JSONValue, from original: JSONValue?) -> JSONValue {
        switch value {
        case .string(Redaction.mark): original ?? value
        case .object(let members):
            .object(members.reduce(into: [:]) { $0[$1.key] = restored($1.value, from: original?[$1.key]) })
        case .array(let elements):
            .array(elements.enumerated().map { restored($1, from: original?[$0]) })
        default: value
        }
    }
}

extension RecordedCall {
    fileprivate var reasonNotToReplay: String? {
        if end == nil { return "The call has not ended." }
        if steps.first?.name == "refused" { return "The call was refused before it started." }
        if isSample { return "A sample was the response." }
        if call.renewal != nil { return "The call is part of a refresh or login." }
        guard case .memory? = exchanges.last?.request.destination else {
            return exchanges.isEmpty ? "Nothing was sent." : "Downloads and streams are not sent again."
        }
        return nil
    }
}
