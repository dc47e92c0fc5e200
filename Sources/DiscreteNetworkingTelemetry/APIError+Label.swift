import DiscreteNetworkingCore

extension APIError.Kind {
    /// The kind in a word, of which there are few, for counting: `timeout`, `business`, `404`.
    var label: String {
        switch self {
        case .vetoed: "vetoed"
        case .invalidParams: "invalidParams"
        case .serviceNotRegistered: "serviceNotRegistered"
        case .serviceCycle: "serviceCycle"
        case .invalidService: "invalidService"
        case .nestedTooDeeply: "nestedTooDeeply"
        case .notReachable: "notReachable"
        case .degraded: "degraded"
        case .invalidRequest: "invalidRequest"
        case .timedOut: "timeout"
        case .cancelled: "cancelled"
        // Its kinds have no secrets, so that they can be looked at.
        case .transport(let error): Mirror(reflecting: error.kind).children.first?.label ?? "\(error.kind)"
        case .transfer: "transfer"
        case .http(let status): String(status)
        case .business: "business"
        case .decoding: "decoding"
        case .invalidResponse: "invalidResponse"
        case .refreshFailed: "refreshFailed"
        case .sessionUnavailable: "sessionUnavailable"
        case .loginRequired: "loginRequired"
        case .loginFailed: "loginFailed"
        case .loginCancelled: "loginCancelled"
        case .swallowed: "swallowed"
        case .deadlineExceeded: "deadlineExceeded"
        case .notCached: "notCached"
        }
    }
}

extension APICall {
    /// The method name with unfilled placeholders, and without the values of its query, one of which may be a secret.
    var endpointName: String {
        guard let mark = methodName.firstIndex(of: "?") else { return methodName }
        let names = methodName[methodName.index(after: mark)...].split(separator: "&").map { pair in
            pair.prefix { $0 != "=" }
        }
        return methodName[...mark] + names.joined(separator: "&")
    }
}
