import Foundation

/// The description of a manager's calls, and the checks before they start.
extension BaseAPIManager {
    /// Performs steps 2 and 3; returns why a call with these params may not start.
    func refusal(of params: Params) -> APIError.Kind? {
        guard self is any APIManagerChild else {
            return .invalidRequest(
                reason:
                    "\(type(of: self)) does not declare its service, method name and request type; inherit from APIManager<Output>."
            )
        }
        guard shouldCall(with: params), interceptors.allSatisfy({ $0.manager(self, shouldCallWith: params) })
        else {
            return .vetoed
        }
        if case .invalid(let reason)? = validator?.validate(params: params, for: self) {
            return .invalidParams(reason: reason)
        }
        return nil
    }

    func call(_ params: Params, headers extra: [String: String] = [:]) -> APICall {
        let child = self as? any APIManagerChild
        var headers = headers
        for (name, value) in extra where !headers.keys.contains(where: { HTTPToken.isSame($0, name) }) {
            headers[name] = value
        }
        return APICall(
            serviceIdentifier: child?.serviceIdentifier ?? "",
            methodName: child?.methodName ?? "",
            requestType: child?.requestType ?? .get, params: params, tag: tag,
            overrides: .init(
                headers: headers, responseRules: responseRules, encoding: encoding, timeout: timeout,
                sharesIdenticalRequests: sharesIdenticalRequests,
                download: download ?? (outputType == DownloadedFile.self ? Download() : nil),
                usesSession: usesSession, requiresLogin: requiresLogin, cache: cache, retry: retry,
                waitsForNetwork: waitsForNetwork),
            outputType: outputType, managerType: ManagerType(type(of: self)))
    }

    /// The manager itself if it conforms, then the assigned interceptor.
    var interceptors: [any APIManagerInterceptor] {
        let own = self as? any APIManagerInterceptor
        guard let interceptor, interceptor !== own else { return own.map { [$0] } ?? [] }
        return own.map { [$0, interceptor] } ?? [interceptor]
    }
}
