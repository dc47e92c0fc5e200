import Foundation

extension RequestGenerator {
    /// A request while it is built.
    ///
    /// An object, so that the async frames of the steps that build it reserve no space for a request, a call and copies of
    /// them. Only the task that builds the request has it.
    final class Draft {
        /// Unchecked: a step has the request to itself until it returns.
        @exclusivity(unchecked) var request: APIRequest
        /// The call as the service sees it.
        let call: APICall
        let plan: CallPlan
        /// The session that added its access token; `nil` for none.
        let session: SessionSnapshot?
        /// As they were before the service changed the request.
        private let notes: RequestNotes
        private let destination: ResponseDestination

        init(_ request: consuming APIRequest, _ call: APICall, _ plan: CallPlan, _ session: SessionSnapshot?)
        {
            (notes, destination) = (request.notes, request.destination)
            self.request = request
            self.call = call
            self.plan = plan
            self.session = session
        }

        var keepsCookies: Bool { plan.configured.cookies != nil && !call.isSample }

        var signer: (any RequestSigner)? { call.isSample ? nil : plan.service.signer(for: call) }

        var finished: Box<APIRequest> { Box(request) }

        /// Whether a CSRF token may belong to it. The service may have changed the method.
        ///
        /// Not inlined: a memory hit would allocate one more time.
        @inline(never)
        var isUnsafe: Bool {
            plan.configured.configuration.value.csrf != nil && !request.method.isSafe
        }

        /// Restores the notes after the service has changed the request, and validates it.
        func check(_ name: String) throws(InvalidRequestError) {
            request.restore(notes)
            try validate(changedBy: name)
        }

        /// Rejects what a transport cannot or must not send, and another destination than the one before.
        func validate(changedBy name: String) throws(InvalidRequestError) {
            switch (request.destination, destination) {
            case (.memory, .memory), (.file, .file), (.stream, .stream): break
            default:
                throw InvalidRequestError(
                    "\(name) changed the response destination, which depends on the manager's output; leave it unchanged."
                )
            }
            try request.validate()
        }
    }
}

extension APIRequest {
    /// Mutating, so that the request of a draft is not copied for it.
    fileprivate mutating func validate() throws(InvalidRequestError) {
        let target = try validateTarget()
        if !target.isSecure { try notes.plainHTTP.check(host: target.host) }
        try headers.validate()
        _ = try body.length
        guard timeout > 0 else {
            throw InvalidRequestError(
                "The timeout is \(timeout) s; it must be greater than 0, or .infinity for no limit.")
        }
    }
}
