import Foundation

extension ApiProxy {
    /// For a manager that requires a login where there is nothing to log in to.
    func sessionMissing(for call: APICall) -> APIError {
        let reason = "\(call.managerType) requires a login, but its service has no session; give it one."
        return error(.invalidRequest(reason: reason), of: call)
    }
}

extension CallPipeline {
    /// Step 8, first half: lets a call out with the tokens of its service's session, after the login or the
    /// refresh that it needs before.
    /// - Returns: what the call ends with; `nil` where it may go out.
    func admit(_ call: inout APICall, _ service: any Service) async -> APIError? {
        call.request = nil
        call.pass = nil
        guard let session = service.session else {
            guard call.overrides.requiresLogin else { return nil }
            return proxy.sessionMissing(for: call)
        }
        if let refusal = await session.admit(call, over: proxy) { return proxy.error(refusal, of: call) }
        if call.overrides.usesSession { call.pass = session.pass }
        return nil
    }

    /// Waits until the session has what the call needs, and ends the call where that comes to nothing.
    /// - Returns: the seconds until the call is repeated; `nil` where it is over.
    func hold(
        _ call: inout APICall, for need: SessionNeed, of session: TokenSession, after error: APIError
    ) async -> TimeInterval? {
        // Waiting for what it is a part of would last for ever.
        guard call.overrides.usesSession, !call.renewedSessions.contains(ObjectIdentifier(session)),
            call.waitedFor.insert(need).inserted
        else {
            await pending.report(error)
            return nil
        }
        let pass = call.pass.flatMap { $0.session == session ? $0 : nil } ?? session.pass
        if let refusal = await session.hold(for: need, since: pass.generation, over: proxy) {
            await pending.report(proxy.error(refusal, of: call, underlying: error))
            return nil
        }
        pending.events.emit(.repeated(after: 0, error), of: call)
        return 0
    }
}
