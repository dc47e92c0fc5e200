import Foundation

#if !canImport(FoundationNetworking)
    extension URLAuthenticationChallenge {
        /// How a challenge is met: what a policy or a credential is for with that, all else as the system
        /// does. Proxies have certificates and passwords of their own.
        /// - Parameters:
        ///   - credential: That of the request. Where the server does not take it the 401 is the response.
        ///   - refuse: Told why, where the server is not the one that the policy asks for.
        func answer(
            _ trust: URLSessionTrust?, _ credential: HTTPCredential?, refuse: (TransportError) -> Void
        ) -> (URLSession.AuthChallengeDisposition, URLCredential?) {
            guard !protectionSpace.isProxy() else { return (.performDefaultHandling, nil) }
            switch protectionSpace.authenticationMethod {
            case NSURLAuthenticationMethodServerTrust:
                guard let trust, trust.judgesServers else { break }
                do throws(TransportError) {
                    guard let server = protectionSpace.serverTrust else {
                        throw TransportError(
                            .serverCertificateUntrusted, message: "The server shows no certificate.")
                    }
                    try trust.check(server)
                    return (.useCredential, URLCredential(trust: server))
                } catch {
                    refuse(error)
                    return (.cancelAuthenticationChallenge, nil)
                }
            case NSURLAuthenticationMethodClientCertificate:
                if let identity = trust?.clientCredential { return (.useCredential, identity) }
            case NSURLAuthenticationMethodHTTPDigest:
                if case .digest(let user, let password)? = credential, previousFailureCount == 0 {
                    return (
                        .useCredential, URLCredential(user: user, password: password, persistence: .none)
                    )
                }
            default: break
            }
            return (.performDefaultHandling, nil)
        }
    }
#endif
