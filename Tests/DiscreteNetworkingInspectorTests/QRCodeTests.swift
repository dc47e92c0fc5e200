import Foundation
import XCTest

@testable import DiscreteNetworkingInspector

/// The QR code of the URL, as another program reads it, and the names of the device.
final class QRCodeTests: XCTestCase {
    func testDeviceIsReachedByItsAddressesAndItsBonjourName() {
        XCTAssertEqual(DeviceNames.bonjourName(ofHost: "My-Mac.lan"), "my-mac.local")
        XCTAssertEqual(DeviceNames.bonjourName(ofHost: "my-phone.local"), "my-phone.local")
        for host in ["localhost", "", ".", "a b", "手机", "localhost.localdomain"] {
            XCTAssertNil(DeviceNames.bonjourName(ofHost: host), host)
        }
        for address in DeviceNames.addresses {
            XCTAssertEqual(address.split(separator: ".").compactMap { UInt8($0) }.count, 4, address)
            XCTAssertFalse(address.hasPrefix("127."), address)
        }
        XCTAssertEqual(
            Inspector.Access.localNetwork, .network(names: Set(DeviceNames.own)),
            "the names of now are those of the device")
    }

    func testTextThatIsTooLongHasNoCode() {
        XCTAssertNotNil(QRCode(String(repeating: "x", count: 230)))
        XCTAssertNil(QRCode(String(repeating: "x", count: 231)))
    }

    #if os(Linux) || os(macOS)
        func testAnotherProgramReadsTheCodesOfAllVersions() throws {
            let token = "http://192.168.1.23:51234/" + String(repeating: "3f0c7b8d", count: 40)
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("QR-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            var files: [URL] = []
            var texts: [String] = []
            for version in QRVersion.all {
                for text in [
                    String(token.prefix(version.capacity)), String(token.prefix(version.capacity - 9)),
                ] {
                    let code = try XCTUnwrap(QRCode(text))
                    XCTAssertEqual(code.modules.count, version.size)
                    texts.append(text)
                    files.append(folder.appendingPathComponent("\(texts.count).pgm"))
                    try Self.image(of: code.lines()).write(to: files[texts.count - 1])
                }
            }
            guard let read = try Self.zbarimg(files) else {
                let isRequired = ProcessInfo.processInfo.environment["CI_REQUIRE_TOOLS"] != nil
                XCTAssertFalse(isRequired, "needs zbarimg")
                throw XCTSkip("needs zbarimg")
            }
            XCTAssertEqual(read, texts)
        }

        /// The lines as a console draws them, as a portable gray map.
        private static func image(of lines: [String]) -> Data {
            let scale = 4
            let rows = lines.flatMap { line in
                ["▀", "▄"].map { half in line.map { $0 == "█" || String($0) == half } }
            }
            var image = Data("P5 \(rows[0].count * scale) \(rows.count * scale) 255\n".utf8)
            for row in rows {
                let wide = row.flatMap { [UInt8](repeating: $0 ? 255 : 0, count: scale) }
                for _ in 0..<scale { image += wide }
            }
            return image
        }

        /// - Returns: The text of each code; `nil` if the program is not there.
        private static func zbarimg(_ files: [URL]) throws -> [String]? {
            let (process, output) = (Process(), Pipe())
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments =
                ["zbarimg", "-q", "--raw", "-Sdisable", "-Sqrcode.enable"] + files.map(\.path)
            (process.standardOutput, process.standardError) = (output, Pipe())
            try process.run()
            let read = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            guard process.terminationStatus != 127 else { return nil }
            return String(decoding: read, as: UTF8.self).split(separator: "\n").map(String.init)
        }
    #endif
}
