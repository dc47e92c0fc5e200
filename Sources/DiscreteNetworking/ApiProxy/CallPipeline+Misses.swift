import Foundation

/// Why a cache has no response, for the observers. Without any, nothing is found out and nothing is remembered.
extension CallPipeline {
    /// Tells the observers why no stored response is used.
    @inline(never)
    func noteMiss(_ found: CacheLookup, _ context: CallContext) {
        // A request that could not be built is the error of the attempt.
        guard !pending.events.isSilent, let request = context.request?.value else { return }
        let reason: MissReason =
            switch found {
            case .hit: .unreadable
            case .miss(let reason?): reason
            case .miss(nil):
                fingerprint(of: request, context).map(proxy.storedRequests.reason)
                    ?? .incomparable("its body is a file or a stream")
            }
        pending.emitMiss(.notInCache(reason), reason, of: context.call)
    }

    /// Remembers the request for later ones that find no response.
    @inline(never)
    func noteStored(_ isStored: Bool, _ context: CallContext) {
        guard !pending.events.isSilent, let request = context.request?.value,
            let fingerprint = fingerprint(of: request, context)
        else { return }
        proxy.storedRequests.note(fingerprint, isStored: isStored)
    }

    private func fingerprint(of request: APIRequest, _ context: CallContext) -> RequestFingerprint? {
        guard let place = context.cachePlace, let identity = RequestIdentity(request) else { return nil }
        let call = context.call
        return RequestFingerprint(
            identity, headers: request.headers, endpoint: [call.serviceIdentifier.rawValue, call.methodName],
            others: [(.environment, context.pins?.name ?? ""), (.cacheIdentity, place.cacheIdentity)])
    }
}
