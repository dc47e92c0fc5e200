import DiscreteNetworkingCore
import Foundation

/// When and for what a signature is valid.
struct AWSScope {
    static let algorithm = "AWS4-HMAC-SHA256"

    /// The time as `20150830T123600Z`.
    let time: String
    private let region: String
    private let service: String

    private var date: String { String(time.prefix(8)) }

    /// The scope as `20150830/us-east-1/s3/aws4_request`.
    var text: String { "\(date)/\(region)/\(service)/aws4_request" }

    /// - Throws: `InvalidRequestError` if the time has no year of four digits.
    init(_ now: Date, region: String, service: String) throws(InvalidRequestError) {
        let seconds = now.timeIntervalSince1970.rounded(.down)
        // From the year 0 to the year 9999.
        guard -62_167_219_200..<253_402_300_800 ~= seconds else {
            throw InvalidRequestError(
                "The clock's time cannot be written with a year of four digits; check AWSSigner.now.")
        }
        let whole = Int64(seconds)
        let day = CivilDate(daysSince1970: Int64((seconds / 86_400).rounded(.down)))
        let second = whole - day.daysSince1970 * 86_400
        func digits(_ number: Int64, _ count: Int = 2) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        time =
            digits(day.year, 4) + digits(day.month) + digits(day.day) + "T" + digits(second / 3600)
            + digits(second / 60 % 60) + digits(second % 60) + "Z"
        (self.region, self.service) = (region, service)
    }

    /// Signs a canonical request in lowercase hexadecimal digits.
    func signature(of canonical: String, with secret: SigningKey) -> String {
        let text = [Self.algorithm, time, self.text, MessageDigest(.sha256, of: canonical).hexadecimal]
        var key = Data("AWS4".utf8) + secret.data
        for part in [date, region, service, "aws4_request"] { key = Self.hmac(part, key) }
        return MessageDigest.hmac(.sha256, of: Data(text.joined(separator: "\n").utf8), key: key).hexadecimal
    }

    private static func hmac(_ text: String, _ key: Data) -> Data {
        Data(MessageDigest.hmac(.sha256, of: Data(text.utf8), key: key).bytes)
    }
}
