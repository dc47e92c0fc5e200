import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingHTTP

/// Keys and certificates in the forms in which policies name them; the expected bytes are OpenSSL's.
final class PublicKeyPinTests: XCTestCase {
    /// What stands before the key, for each size of an RSA key in bytes, exponent 65537.
    private static let rsa = [
        270: "30820122300d06092a864886f70d01010105000382010f00",
        398: "308201a2300d06092a864886f70d01010105000382018f00",
        526: "30820222300d06092a864886f70d01010105000382020f00",
        1038: "30820422300d06092a864886f70d01010105000382040f00",
    ]
    /// The same for points on P-256, P-384 and P-521.
    private static let ellipticCurves = [
        65: "3059301306072a8648ce3d020106082a8648ce3d030107034200",
        97: "3076301006072a8648ce3d020106052b81040022036200",
        133: "30819b301006072a8648ce3d020106052b8104002303818600",
    ]

    private func key(_ count: Int) -> Data { Data((0..<count).map { UInt8($0 % 251) }) }

    func testAnRSAKey() {
        for (count, head) in Self.rsa {
            XCTAssertEqual(SubjectPublicKeyInfo.rsa(key(count)), Data(hex: head) + key(count), "\(count)")
        }
    }

    func testAKeyOnACurve() {
        for (count, head) in Self.ellipticCurves {
            XCTAssertEqual(
                SubjectPublicKeyInfo.ellipticCurve(key(count)), Data(hex: head) + key(count), "\(count)")
        }
        for count in [0, 32, 33, 64, 66, 132] {
            XCTAssertNil(SubjectPublicKeyInfo.ellipticCurve(key(count)))
        }
    }

    func testOnlyWellFormedPinsAreRead() {
        XCTAssertEqual(
            PublicKeyPin.digest("sha256//AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="), key(32))
        for pin in [
            "", "sha256//", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
            "sha256/AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=",
            "sha1//AAECAwQFBgcICQoLDA0ODxAREhM=", "sha256//AAECAwQFBgcICQoLDA0ODxAREhM=",
            "sha256//not base64", "sha256//AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gIQ==",
        ] {
            XCTAssertNil(PublicKeyPin.digest(pin), pin)
        }
    }

    // MARK: PEM

    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4v
        MDEyMw==
        -----END CERTIFICATE-----

        """

    func testCertificatesInAFile() {
        let one = Self.certificate
        XCTAssertEqual(PEM.certificates(in: one), [key(52)])
        XCTAssertEqual(PEM.certificates(in: "# Some CA\n" + one + "\nAnother:\n" + one), [key(52), key(52)])
        XCTAssertEqual(PEM.certificates(in: one.replacingOccurrences(of: "\n", with: "\r\n")), [key(52)])
        XCTAssertEqual(
            PEM.certificates(in: "-----BEGIN PRIVATE KEY-----\nAAEC\n-----END PRIVATE KEY-----\n" + one),
            [key(52)])
        XCTAssertEqual(PEM.certificates(in: "no certificate"), [])
        XCTAssertEqual(PEM.certificates(in: ""), [])
    }

    func testABrokenCertificateIsNotLeftOut() {
        let one = Self.certificate
        for broken in [
            "-----BEGIN CERTIFICATE-----\nAAEC", "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----",
            "-----BEGIN CERTIFICATE-----\nA!EC\n-----END CERTIFICATE-----",
            "-----BEGIN CERTIFICATE-----\nAAE\n-----END CERTIFICATE-----",
        ] {
            XCTAssertNil(PEM.certificates(in: one + broken), broken)
            XCTAssertNil(PEM.certificates(in: broken + one), broken)
        }
    }
}
