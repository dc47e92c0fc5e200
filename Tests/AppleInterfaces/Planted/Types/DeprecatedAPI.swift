import Foundation
import Security

func evaluate(_ trust: SecTrust) -> SecCertificate? {
    var result = SecTrustResultType.invalid
    // finds: 'SecTrustEvaluate' was deprecated in
    guard SecTrustEvaluate(trust, &result) == errSecSuccess else { return nil }
    // finds: 'SecTrustGetCertificateAtIndex' was deprecated in
    return SecTrustGetCertificateAtIndex(trust, 0)
}
