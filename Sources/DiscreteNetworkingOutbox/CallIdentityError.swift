import DiscreteNetworkingCore

/// An error that says why a call has no identity to be stored under.
protocol CallIdentityError: Error {
    static func serviceNotRegistered(_ identifier: ServiceIdentifier) -> Self
    static var loggedOut: Self { get }
    static var userUnknown: Self { get }
    static func sessionUnavailable(_ error: CredentialStoreError) -> Self
}

extension OutboxError: CallIdentityError {}
extension BackgroundTransferError: CallIdentityError {}

extension CallMoment {
    /// Returns the identity of the call, or throws the error of who keeps it.
    func identity<Failure: CallIdentityError>(or _: Failure.Type) async throws(Failure) -> CallIdentity {
        do throws(CallIdentityProblem) {
            return try await identity
        } catch {
            switch error {
            case .serviceNotRegistered(let identifier): throw .serviceNotRegistered(identifier)
            case .loggedOut: throw .loggedOut
            case .userUnknown: throw .userUnknown
            case .sessionUnavailable(let error): throw .sessionUnavailable(error)
            }
        }
    }
}
