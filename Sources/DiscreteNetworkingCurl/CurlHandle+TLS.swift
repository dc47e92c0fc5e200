#if os(Linux)
    import CCurl
    import Foundation

    extension CurlHandle {
        /// Sets the options of a TLS policy.
        func setUp(_ tls: TLSPolicy) {
            set(
                CCURLOPT_SSLVERSION,
                tls.minimumVersion == .tls13 ? CCURL_SSLVERSION_TLSv1_3 : CCURL_SSLVERSION_TLSv1_2)
            if let file = tls.certificateAuthorities {
                set(CCURLOPT_CAINFO, file.path)
                // The folder of the system's authorities, if libcurl was built with one, is trusted besides the file. A TLS
                // library that knows no folders rejects the option.
                _ = ccurl_set_pointer(easy, Int32(CCURLOPT_CAPATH), nil)
            }
            if let authorities = way.authorities {
                authorities.withUnsafeBytes { note(ccurl_set_authorities(easy, $0.baseAddress, $0.count)) }
            }
            if !tls.pinnedPublicKeys.isEmpty {
                set(CCURLOPT_PINNEDPUBLICKEY, tls.pinnedPublicKeys.joined(separator: ";"))
            }
            switch tls.clientCertificate {
            case nil: break
            case .pkcs12(let file, let passphrase):
                set(CCURLOPT_SSLCERTTYPE, "P12")
                set(CCURLOPT_SSLCERT, file.path)
                set(CCURLOPT_KEYPASSWD, passphrase)
            case .pem(let certificate, let key, let passphrase):
                set(CCURLOPT_SSLCERT, certificate.path)
                set(CCURLOPT_SSLKEY, key.path)
                if let passphrase { set(CCURLOPT_KEYPASSWD, passphrase) }
            }
        }
    }
#endif
