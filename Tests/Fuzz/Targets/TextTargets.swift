import Foundation

@testable import DiscreteNetworkingContracts
@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingHTTP
@testable import DiscreteNetworkingTesting

extension FuzzTarget {
    /// A secret beside any text stays hidden, and what hides nothing changes nothing.
    static let redaction = FuzzTarget(name: "redaction") { data in
        let text = String(decoding: data, as: UTF8.self)
        _ = Redaction.standard.redacted(text: text)
        try expect(Redaction.none.redacted(text: text) == text, "changed")
        if let url = URL(string: text) { _ = Redaction.standard.redacted(url) }
        // Text that has the secret already, at a name that is none, may show it.
        guard !text.contains("QXW") else { return }
        let document: JSONValue = ["a": .string(text), "password": "QXWPQXWP", "z": [.string(text)]]
        for text in [document.canonicalText, JSONValue.string(document.canonicalText).canonicalText] {
            let redacted = Redaction.standard.redacted(text: text)
            try expect(!redacted.contains("QXW"), "\(text)\nbecame\n\(redacted)")
        }
    }

    /// Forms that the kit reads: the first line is the `Content-Type`, the rest is the body.
    static let forms = FuzzTarget(name: "forms") { data in
        let parts = data.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
        let type = String(decoding: parts[0], as: UTF8.self)
        let body = parts.count > 1 ? parts[1] : Data()
        _ = FormReader.fields(Data(body), type: type, .standard)
        _ = FormReader.fields(body, type: type, .standard)
        guard let boundary = RequestFields.boundary(of: type) else { return }
        let fields = RequestFields.parts(body, boundary: boundary)
        let again = RequestFields.parts(Data(body), boundary: boundary)
        try expect(fields.map { "\($0)" } == again.map { "\($0)" }, "a slice is read otherwise")
    }

    /// Certificates: any bytes come back, and any text is read or refused.
    static let pem = FuzzTarget(name: "pem") { data in
        let found = PEM.certificates(in: String(decoding: data, as: UTF8.self)) ?? []
        try expect(!found.contains { $0.isEmpty }, "an empty certificate")
        guard !data.isEmpty else { return }
        let text = """
            -----BEGIN CERTIFICATE-----
            \(data.base64EncodedString(options: .lineLength64Characters))
            -----END CERTIFICATE-----
            """
        try expect(PEM.certificates(in: text + "\n" + text) == [data, data], "did not come back")
    }
}
