/// Whether params or a response are right.
public enum ValidationResult: Sendable, Hashable {
    case valid
    /// The reason, for the developer who reads the error.
    case invalid(reason: String)
}

/// Checks what goes out and what comes back. A manager that conforms itself is its own validator until
/// another one is assigned.
@MainActor
public protocol APIManagerValidator: AnyObject {
    /// Called before anything is sent; a refusal ends the call with ``APIError/Kind/invalidParams(reason:)``.
    func validate(params: Params, for manager: BaseAPIManager) -> ValidationResult

    /// Called with every response that was decoded: ``APIResponse/output`` is of the manager's type. A
    /// refusal is ``APIError/Kind/invalidResponse(reason:)``.
    func validate(response: APIResponse, for manager: BaseAPIManager) -> ValidationResult
}

extension APIManagerValidator {
    public func validate(params: Params, for manager: BaseAPIManager) -> ValidationResult { .valid }
    public func validate(response: APIResponse, for manager: BaseAPIManager) -> ValidationResult { .valid }
}
