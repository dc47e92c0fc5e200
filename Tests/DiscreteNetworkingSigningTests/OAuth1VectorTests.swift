import DiscreteNetworkingSigning
import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// The examples of RFC 5849.
final class OAuth1VectorTests: XCTestCase {
    private func signer(
        _ key: String = "dpf43f3p2l4k3l03", _ secret: String = "kd94hf93k423kf44", token: String? = nil,
        _ tokenSecret: String? = nil, at time: TimeInterval, nonce: String, realm: String? = "Photos",
        callback: String? = nil, verifier: String? = nil
    ) -> OAuth1Signer {
        OAuth1Signer(
            credentials: OAuth1Credentials(
                consumerKey: key, consumerSecret: SigningKey(secret), token: token,
                tokenSecret: tokenSecret.map { SigningKey($0) }),
            placement: .header(realm: realm), callback: callback, verifier: verifier, sendsVersion: false,
            nonceSource: NonceSource(now: { Date(timeIntervalSince1970: time) }, nonce: { nonce }))
    }

    /// Section 1.2: all three requests.
    func testTheExampleOfTheIntroduction() async throws {
        let first = try await APIRequest("POST", "https://photos.example.net/initiate").signed(
            by: signer(
                at: 137_131_200, nonce: "wIjqoS", callback: "http://printer.example.com/ready"))
        XCTAssertEqual(
            first.headers["Authorization"],
            #"OAuth realm="Photos", oauth_consumer_key="dpf43f3p2l4k3l03", oauth_signature_method="HMAC-SHA1", oauth_timestamp="137131200", oauth_nonce="wIjqoS", oauth_callback="http%3A%2F%2Fprinter.example.com%2Fready", oauth_signature="74KNZJeDHnMBp0EMJ9ZHt%2FXKycU%3D""#
        )
        let second = try await APIRequest("POST", "https://photos.example.net/token").signed(
            by: signer(
                token: "hh5s93j4hdidpola", "hdhd0244k9j7ao03", at: 137_131_201, nonce: "walatlh",
                verifier: "hfdp7dh39dks9884"))
        XCTAssertEqual(
            second.headers["Authorization"]?.hasSuffix(
                #"oauth_signature="gKgrFCywp7rO0OXSjdot%2FIHF7IU%3D""#),
            true)
        let third = try await APIRequest(
            "GET", "http://photos.example.net/photos?file=vacation.jpg&size=original"
        ).signed(
            by: signer(
                token: "nnch734d00sl2jdk", "pfkkdhi9sl3r4s00", at: 137_131_202, nonce: "chapoH"))
        XCTAssertEqual(
            third.headers["Authorization"]?.hasSuffix(#"oauth_signature="MdpQcU8iPSUjWoN%2FUDMsK2sui9I%3D""#),
            true)
    }

    /// Section 3.4.1.1, with the secrets and the signature of the erratum 2550. Its query and its form have equal names, names
    /// without values and encoded characters.
    func testTheExampleOfTheBaseString() async throws {
        let request = try APIRequest(
            "POST", "http://EXAMPLE.COM:80/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b",
            headers: ["Content-Type": "application/x-www-form-urlencoded"], body: "c2&a3=2+q")
        let text =
            "POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26c2%3D%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7"
        let signed = try await request.signed(
            by: signer(
                "9djdj82h48djs9d2", "j49sk3j29djd", token: "kkk9d7dh3k39sjv7", "dh893hdasih9",
                at: 137_131_201, nonce: "7d8f3e4a", realm: "Example"))
        let expected = MessageDigest.hmac(
            .sha1, of: Data(text.utf8), key: Data("j49sk3j29djd&dh893hdasih9".utf8))
        let signature = PercentEncoding.unreserved.encode(Data(expected.bytes).base64EncodedString())
        XCTAssertEqual(signature, "r6%2FTJjbCOr97%2F%2BUU0NsvSne7s5g%3D")
        XCTAssertEqual(
            signed.headers["Authorization"]?.hasSuffix(#"oauth_signature="\#(signature)""#), true)
    }
}
