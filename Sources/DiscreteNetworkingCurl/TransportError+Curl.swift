#if os(Linux)
    import CCurl

    extension TransportError {
        /// What libcurl reports.
        /// - Parameter detail: libcurl's own words. They are looked at, never passed on: they may hold the URL.
        init(curl code: Int32, detail: String = "") {
            let (kind, message) = Self.meaning(of: Int(code), detail)
            self.init(kind, message: message, code: Int(code))
        }

        private static func meaning(of code: Int, _ detail: String) -> (Kind, String) {
            switch code {
            case CCURLE_COULDNT_RESOLVE_HOST:
                (.cannotFindHost, "The host was not found; check the service's base URL.")
            case CCURLE_COULDNT_RESOLVE_PROXY:
                (.cannotFindHost, "The proxy was not found; check the transport's configuration.")
            case CCURLE_COULDNT_CONNECT, CCURLE_PROXY:
                (
                    .cannotConnect,
                    "The host does not accept the connection; check host and port, and that the server runs."
                )
            case CCURLE_OPERATION_TIMEDOUT: (.timedOut, "The connection did not stand in time.")
            case CCURLE_PEER_FAILED_VERIFICATION, CCURLE_SSL_INVALIDCERTSTATUS:
                (.serverCertificateUntrusted, "The server's certificate is not one to trust for this host.")
            case CCURLE_SSL_PINNEDPUBKEYNOTMATCH:
                (.publicKeyNotPinned, "The server's public key is none of the pinned ones.")
            case CCURLE_SSL_CERTPROBLEM, CCURLE_SSL_CLIENTCERT:
                (
                    .clientCertificateRejected,
                    "The client's certificate or key cannot be used; check its files and passphrase."
                )
            case CCURLE_SSL_CACERT_BADFILE:
                (.serverCertificateUntrusted, "The file with the certificate authorities cannot be read.")
            case CCURLE_SSL_CONNECT_ERROR where isAboutClientCertificate(detail),
                CCURLE_RECV_ERROR where isAboutClientCertificate(detail):
                (
                    .clientCertificateRejected,
                    "The server does not take the client without a certificate that it trusts."
                )
            case CCURLE_SSL_CONNECT_ERROR, CCURLE_SSL_CIPHER, CCURLE_SSL_ENGINE_NOTFOUND:
                (
                    .secureConnectionFailed,
                    "The secure connection could not be made; check the TLS versions of both sides."
                )
            case CCURLE_GOT_NOTHING, CCURLE_SEND_ERROR, CCURLE_RECV_ERROR, CCURLE_PARTIAL_FILE, CCURLE_HTTP2,
                CCURLE_HTTP2_STREAM, CCURLE_ABORTED_BY_CALLBACK:
                (.connectionLost, "The connection was lost before the answer was complete.")
            case CCURLE_SEND_FAIL_REWIND: (.bodyUnavailable, "The body to be sent cannot be sent again.")
            case CCURLE_WEIRD_SERVER_REPLY, CCURLE_UNSUPPORTED_PROTOCOL, CCURLE_TOO_LARGE:
                (.badResponse, "The server's answer is malformed.")
            case CCURLE_OUT_OF_MEMORY:
                // libcurl's word for a header line of over 100 KB, too.
                (
                    .badResponse,
                    "The server's answer has a header line that is too long, or there is no memory left."
                )
            case CCURLE_URL_MALFORMAT: (.unsupported, "The URL is of a kind that cannot be loaded.")
            case CCURLE_NOT_BUILT_IN, CCURLE_UNKNOWN_OPTION:
                (.unsupported, "This libcurl cannot do what the transport's configuration asks for.")
            default: (.unknown, "The exchange failed (\(String(cString: ccurl_easy_text(Int32(code))))).")
            }
        }

        /// TLS 1.3 has an alert of its own; before, servers say that the certificate is bad or unknown.
        private static func isAboutClientCertificate(_ detail: String) -> Bool {
            let detail = detail.lowercased()
            return detail.contains("alert") && detail.contains("certificate")
                || detail.contains("alert unknown ca")
        }
    }
#endif
