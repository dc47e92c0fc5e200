import Foundation

/// Certificates in a text file (RFC 7468).
enum PEM {
    private static let begin = "-----BEGIN CERTIFICATE-----"
    private static let end = "-----END CERTIFICATE-----"

    /// The DER of every certificate, in order; what stands around them is left out. `nil` where one of them
    /// is broken.
    static func certificates(in text: String) -> [Data]? {
        var certificates: [Data] = []
        for block in text.components(separatedBy: begin).dropFirst() {
            guard let length = block.range(of: end)?.lowerBound,
                let der = Data(
                    base64Encoded: block[..<length].filter { !$0.isWhitespace && !$0.isNewline }),
                !der.isEmpty
            else { return nil }
            certificates.append(der)
        }
        return certificates
    }
}
