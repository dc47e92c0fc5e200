#if os(Linux)
    import CCurl

    extension TransportError {
        /// Creates an error from a libcurl error code.
        /// - Parameter detail: libcurl's description, which is evaluated but not included: it may contain
        ///   the URL.
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
                    "Could not connect to the host; check its name and port, and that the server is running."
                )
            case CCURLE_OPERATION_TIMEDOUT: (.timedOut, "The connection timed out.")
            case CCURLE_PEER_FAILED_VERIFICATION, CCURLE_SSL_INVALIDCERTSTATUS:
                (.serverCertificateUntrusted, "The server's certificate is not trusted for this host.")
            case CCURLE_SSL_PINNEDPUBKEYNOTMATCH:
                (.publicKeyNotPinned, "The server's public key does not match a pin.")
            case CCURLE_SSL_CERTPROBLEM, CCURLE_SSL_CLIENTCERT:
                (
                    .clientCertificateRejected,
                    "The client certificate or its key is unusable; check the files and the passphrase."
                )
            case CCURLE_SSL_CACERT_BADFILE:
                (.serverCertificateUntrusted, "The file of certificate authorities is unreadable.")
            case CCURLE_SSL_CONNECT_ERROR where isAboutClientCertificate(detail),
                CCURLE_RECV_ERROR where isAboutClientCertificate(detail):
                (
                    .clientCertificateRejected,
                    "The server requires a client certificate that it trusts."
                )
            case CCURLE_SSL_CONNECT_ERROR, CCURLE_SSL_CIPHER, CCURLE_SSL_ENGINE_NOTFOUND:
                (
                    .secureConnectionFailed,
                    "The TLS handshake failed; check the TLS versions of both sides."
                )
            case CCURLE_GOT_NOTHING, CCURLE_SEND_ERROR, CCURLE_RECV_ERROR, CCURLE_PARTIAL_FILE, CCURLE_HTTP2,
                CCURLE_HTTP2_STREAM:
                (.connectionLost, "The connection was lost before the response was complete.")
            case CCURLE_ABORTED_BY_CALLBACK:
                // See `CurlTransfer.mayBeSent(from:)`.
                (
                    .connectionLost,
                    "The connection was lost, and the request is not sent again, because the server may have processed it."
                )
            case CCURLE_SEND_FAIL_REWIND: (.bodyUnavailable, "The request body cannot be sent again.")
            case CCURLE_WEIRD_SERVER_REPLY, CCURLE_UNSUPPORTED_PROTOCOL, CCURLE_TOO_LARGE,
                CCURLE_BAD_CONTENT_ENCODING:
                (.badResponse, "The server's response is malformed.")
            case CCURLE_OUT_OF_MEMORY:
                // Also libcurl's code for a header line of more than 100 KB.
                (
                    .badResponse,
                    "The response has a header line that is too long, or memory is exhausted."
                )
            case CCURLE_URL_MALFORMAT: (.unsupported, "The URL is malformed.")
            case CCURLE_NOT_BUILT_IN, CCURLE_UNKNOWN_OPTION:
                (.unsupported, "This libcurl does not support the transport's configuration.")
            default: (.unknown, "The exchange failed (\(String(cString: ccurl_easy_text(Int32(code))))).")
            }
        }

        /// TLS 1.3 has a specific alert; earlier versions report a bad or unknown certificate.
        private static func isAboutClientCertificate(_ detail: String) -> Bool {
            let detail = detail.lowercased()
            return detail.contains("alert") && detail.contains("certificate")
                || detail.contains("alert unknown ca")
        }
    }
#endif
