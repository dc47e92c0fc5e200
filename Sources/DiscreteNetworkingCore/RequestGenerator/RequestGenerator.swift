package import DiscreteNetworkingHTTP
import Foundation

/// Builds the HTTP request of a call from its manager and its service.
///
/// Where two sources disagree, the more specific one wins:
/// - params: the manager's own, then ``Service/extraParams(for:)``, or as ``ServiceConfiguration/paramPrecedence`` says;
/// - headers: the manager's own, then ``Service/extraHeaders(for:)``, then the encoding's `Content-Type`, then
///   ``ServiceConfiguration/defaultHeaders``.
///
/// Then the service's ``ServiceConfiguration/session`` adds its access token, ``Service/adapt(_:for:)`` and the proxy's
/// ``ApiProxy/plugins`` modify the request, ``Service/bodyTransform(for:)`` changes its body,
/// ``ServiceConfiguration/requestCompression`` compresses it, the cookies and the CSRF token are added, and ``Service/signer(for:)`` signs it. The request is validated after these steps.
public struct RequestGenerator: Sendable {
    /// Creates a generator.
    public init() {}

    /// Builds the request of a call, without a session's token.
    /// - Throws: ``InvalidRequestError``, or the error of the service or the encoding.
    public func request(for call: APICall, service: any Service) async throws -> APIRequest {
        let plan = CallPlan(call, ServiceInstance(service).configured)
        let changes = RequestChanges(
            bodyTransform: plan.bodyTransform(of: call),
            compression: plan.compressionSize.map { .init(minimumSize: $0) })
        guard EnvironmentScope.active.isEmpty, let scope = EnvironmentScope.of(call, service) else {
            return try await request(for: call, plan, session: nil, at: nil, changes).value
        }
        defer { scope.end() }
        return try await EnvironmentScope.within(scope) {
            try await request(for: call, plan, session: nil, at: nil, changes).value
        }
    }

    /// Builds the request of a call, in the environment of the task.
    /// - Parameters:
    ///   - session: The session that adds its access token; `nil` for none.
    ///   - host: The host that replaces the service's base URL; `nil` if the service has only one.
    ///   - changes: What changes the request before it is signed; `nil` for nothing.
    func request(
        for call: APICall, _ plan: CallPlan, session: SessionSnapshot?, at host: HostAlias?,
        _ changes: RequestChanges? = nil
    ) async throws -> Box<APIRequest> {
        try await request(of: try draft(of: call, plan, session, host), changes)
    }

    /// Completes a request.
    func request(
        of draft: Draft, _ changes: RequestChanges? = nil
    ) async throws -> Box<APIRequest> {
        try await draft.plan.service.adapt(&draft.request, for: draft.call)
        try draft.check("The service's adapt(_:for:)")
        if let changes { try await apply(changes, to: draft) }
        if draft.keepsCookies { await addCookies(to: draft) }
        if draft.isUnsafe { await protect(draft) }
        // A sample reaches no server, and a preview has no key.
        if let signer = draft.signer { try await sign(draft, signer) }
        return draft.finished
    }

    private func apply(_ changes: RequestChanges, to draft: Draft) async throws {
        for change in changes.list {
            try await change.make(&draft.request, draft.call)
            try draft.validate(changedBy: change.name)
        }
        for plugin in changes.plugins {
            draft.request.notes.identity.varying = draft.request.notes.identity.varying.union(
                plugin.varyingFields)
        }
        changes.compression?.compress(&draft.request)
    }

    private func addCookies(to draft: Draft) async {
        let configured = draft.plan.configured
        guard let jar = configured.cookies, draft.request.headers["Cookie"] == nil else { return }
        let cookies = await jar.turn(for: draft.session, of: configured.session)
        draft.request.notes.cookies = cookies
        draft.request.headers["Cookie"] = cookies.header(for: draft.request.url)
    }

    private func protect(_ draft: Draft) async {
        let configured = draft.plan.configured
        guard let machinery = configured.configuration.value.csrf?.machinery.value as? any RequestProtecting
        else { return }
        await machinery.protect(&draft.request, of: draft.call, configured, draft.session)
    }

    private func sign(_ draft: Draft, _ signer: any RequestSigner) async throws {
        let notes = draft.request.notes
        try await signer.sign(&draft.request, for: draft.call)
        draft.request.restore(notes)
        draft.request.notes.identity.varying = draft.request.notes.identity.varying.union(
            signer.varyingFields)
        try draft.validate(changedBy: "The signer \(type(of: signer))")
    }

    /// Assembles the request from the manager, the service and the session, before ``Service/adapt(_:for:)``.
    func draft(
        of call: APICall, _ plan: CallPlan, _ session: SessionSnapshot?, _ host: HostAlias?
    ) throws -> Draft {
        // Its value has many fields, and is not copied.
        let (service, configuration) = (plan.service, plan.configured.configuration)
        var call = call
        let url = call.overrides.url
        let template = try PathTemplate.of(url == nil ? call.methodName : "")
        if !template.query.isEmpty { call = try call.adding(template.query) }
        var extra = service.extraParams(for: call)
        // A whole URL has those already that the backend has put in it.
        if let url { extra = extra.removing(RequestTarget.pairs(of: RequestTarget(url).query).map(\.name)) }
        if !extra.isEmpty {
            let params =
                switch configuration.value.paramPrecedence {
                case .manager: extra.merging(call.params)
                case .service: call.params.merging(extra)
                }
            call.params = params
        }
        let key = call.idempotencyKey
        if let key { call = try key.added(to: call, at: configuration.value.idempotencyKeyLocation) }
        guard call.params.isEmpty || !call.params.jsonValue.isDeeper(than: JSONWalker.depthLimit) else {
            throw InvalidRequestError(
                "The params are nested more than \(JSONWalker.depthLimit) levels deep; flatten them.")
        }
        let names = template.names
        let pathParams = call.params.values.filter { names.contains($0.key) }
        call.path = try template.fixedPath ?? template.fill(call.params)
        if !names.isEmpty { call.params = call.params.removing(names) }

        var request = APIRequest(
            url: try url ?? service.url(for: call), method: call.requestType,
            timeout: plan.timeout,
            destination: try call.destination(limit: configuration.value.responseSizeLimit))
        request.notes.redirectPolicy = plan.redirects(of: call)
        request.notes.pathParams = pathParams
        if let host, let url = host.url(for: request.url) {
            request.url = url
            request.notes.identity.host = host
        }
        let encoding = plan.encoding(of: call)
        if template.query.isEmpty {
            try encoding.encode(call.params, into: &request)
        } else {
            try encoding.encode(call.params, withQuery: template.query, into: &request)
        }
        // A transfer of a file or a stream has no default timeout.
        if call.overrides.timeout == nil, request.body.isTransfer { request.timeout = .infinity }
        let network = call.overrides.network
        request.allowsCellularAccess = network.allowsCellularAccess
        request.allowsExpensiveNetworkAccess = network.allowsExpensiveNetworkAccess
        request.allowsConstrainedNetworkAccess = network.allowsConstrainedNetworkAccess
        request.notes.plainHTTP = CleartextPolicy(hosts: configuration.value.plainHTTPHosts)

        var headers = configuration.value.defaultHeaders
        headers.merge(request.headers)
        let extraHeaders = service.extraHeaders(for: call)
        if !extraHeaders.isEmpty { headers.merge(try Self.fields(extraHeaders, beside: headers)) }
        headers.merge(try call.overrides.headers.get())
        key?.add(to: &headers, at: configuration.value.idempotencyKeyLocation)
        if let credential = service.credential(for: call), headers["Authorization"] == nil {
            headers["Authorization"] = credential.authorization
            request.credential = credential
        }
        request.headers = headers
        if let session, let tokens = session.tokens {
            let before = request.headers
            let notes = request.notes
            try session.session.authorize(&request, with: tokens)
            request.restore(notes)
            let added = request.headers.filter { line in !before.contains(line) }
            request.notes.identity.session = session.subject.map { (HTTPFields(added), $0) }
        }
        request.notes.identity.varying = service.varyingFields(for: call)
        request.notes.hidesResponse = call.overrides.hidesResponses
        request.notes.origin = APIRequest.Origin(
            requestID: call.requestID, serviceIdentifier: call.serviceIdentifier, methodName: call.methodName,
            managerType: call.managerType, attempt: call.attempt, tag: call.tag)
        return Draft(request, call, plan, session)
    }
}

extension RequestGenerator {
    /// Returns the header fields of a service. A request has one `Cookie` header (RFC 6265 section 5.4), so that the cookies of
    /// the params are kept beside its own; a param wins over a cookie of the same name.
    private static func fields(
        _ extra: [String: String], beside headers: HTTPFields
    ) throws(InvalidRequestError) -> HTTPFields {
        var fields = try HTTPFields(validating: extra)
        guard let own = headers["Cookie"], let others = fields["Cookie"] else { return fields }
        func name(_ pair: Substring) -> Substring { pair.prefix { $0 != "=" }.drop { $0 == " " } }
        let names = Set(own.split(separator: ";").map(name))
        let added = others.split(separator: ";").filter { !names.contains(name($0)) }
            .map { $0.drop { $0 == " " } }
        fields["Cookie"] = ([own[...]] + added).joined(separator: "; ")
        return fields
    }
}

extension APICall {
    /// Returns the destination of the response body, which depends on the manager's output.
    func destination(limit: Int) throws(InvalidRequestError) -> ResponseDestination {
        if let transfer, transfer.isStream { return .stream }
        if let type = (outputType as? any OptionalOutput.Type)?.wrapped as? any TransferredOutput.Type {
            throw InvalidRequestError("A file or stream has no optional; make the output \(type).")
        }
        guard let download = overrides.download else { return .memory(limit: limit) }
        guard transfer != nil else {
            throw InvalidRequestError(
                "\(managerType) sets a download destination, but its output is \(outputType); make the output DownloadedFile."
            )
        }
        try download.checksum?.validate()
        return .file(download.destination)
    }
}

/// A policy that adds to requests, once they have their cookies and before they are signed.
package protocol RequestProtecting: PolicyMachinery {
    /// - Parameter session: The tokens that the request has; `nil` for none.
    func protect(
        _ request: inout APIRequest, of call: APICall, _ configured: ConfiguredService,
        _ session: SessionSnapshot?
    ) async
}
