import DiscreteNetworkingCore
import Foundation

/// The machinery of a ``CSRFProtection``: its tokens, which are kept apart for each service and environment that has it.
final class CSRFDesk: StepMaking, RequestProtecting {
    /// What a fetch is for.
    struct Order: Sendable {
        let service: ServiceIdentifier
        /// Whether the calls that wait for the token use the session.
        let usesSession: Bool
    }

    /// Fetches a token, or the cookie that holds it.
    typealias Fetch = @MainActor @Sendable (_ order: Order, _ proxy: ApiProxy) async throws -> String

    private struct Entry: Sendable {
        /// The configuration of one environment of a service. Weak, so that a desk for many services does not keep them.
        weak var owner: Box<ServiceConfiguration>?
        let tokens = CSRFTokens()
    }

    /// `nil` if the token comes from a cookie that some response sets.
    let fetch: Fetch?
    private let entries = Locked<[Entry]>([])

    init(fetch: Fetch?) { self.fetch = fetch }

    /// The tokens of a service in one environment.
    func tokens(of configured: ConfiguredService) -> CSRFTokens {
        entries.withLock { entries in
            if let known = entries.first(where: { $0.owner === configured.configuration }) {
                return known.tokens
            }
            let new = Entry(owner: configured.configuration)
            entries = entries.filter { $0.owner != nil } + [new]
            return new.tokens
        }
    }

    func step(for policy: any Policy, of pending: PendingCall) -> (any CallStep)? {
        CSRFStep(pending: pending, desk: self)
    }

    func protect(
        _ request: inout APIRequest, of call: APICall, _ configured: ConfiguredService,
        _ session: SessionSnapshot?
    ) async {
        guard let protection = configured.configuration.value.csrf else { return }
        var token: CSRFToken?
        if fetch != nil {
            let turn = await configured.cookies?.turn(for: session, of: configured.session)
            token = tokens(of: configured).token(
                of: CSRFTokens.Owner(call, configured, turn, at: request.url))
        }
        protection.protect(&request, with: token, hosts: configured.hosts)
    }
}
