#if os(macOS) || os(Linux)
    import Foundation
    import XCTest

    @testable import DiscreteNetworkingCore

    /// What Python and `gzip` say of the members.
    final class GzipMemberTests: XCTestCase {
        private static let judge = """
            import gzip, json, sys, zlib
            for line in open(sys.argv[1]):
                case = json.loads(line)
                plain = open(case['plain'], 'rb').read()
                coded = open(case['coded'], 'rb').read()
                assert zlib.crc32(plain) == case['checksum'], case
                if coded:
                    assert gzip.decompress(coded) == plain and len(coded) < len(plain), case
                print(case['plain'])
            """

        private func contents() -> [Data] {
            var random = FixedRandom(seed: 9)
            let sizes =
                [0, 1, 17, 18, 19, 20, 100, 1000, 1024, 32_768, 65_535, 65_536, 70_000]
                + (FullLength.isOn ? [300_001] : [])
            return sizes.flatMap { size -> [Data] in
                let letters = (0..<size).map { _ in UInt8.random(in: 97...101, using: &random) }
                let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
                return [
                    Data(count: size), Data(letters), Data(bytes), Data(bytes.prefix(size / 2) + letters),
                ]
            }
        }

        func testPythonAndGzipReadWhatIsWritten() throws {
            let folder = try temporaryFolder()
            var lines = ""
            var members: [String] = []
            for (index, plain) in contents().enumerated() {
                // A slice, whose first index is not 0.
                let slice = (Data([1, 2, 3]) + plain).dropFirst(3)
                let coded = GzipMember(slice)?.data
                XCTAssertEqual(coded, GzipMember(plain)?.data, "equal data, equal members")
                let (a, b) = (
                    try folder.write("\(index)", plain), try folder.write("\(index).gz", coded ?? Data())
                )
                if coded != nil { members.append(b.path) }
                let sum = GzipMember.checksum(slice)
                lines += #"{"plain":"\#(a.path)","coded":"\#(b.path)","checksum":\#(sum)}"# + "\n"
            }
            let list = try folder.write("cases", Data(lines.utf8))
            let output = try Tool.run("python3", ["-c", Self.judge, list.path])
            XCTAssertEqual(output.utf8Text.split(separator: "\n").count, contents().count)
            XCTAssertGreaterThan(members.count, 20)
            try Tool.run("gzip", ["-t"] + members)
        }

        func testIncompressibleDataHasNoMember() {
            var random = FixedRandom(seed: 10)
            let noise = Data((0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) })
            XCTAssertNil(GzipMember(noise))
            XCTAssertNil(GzipMember(Data()))
            XCTAssertNil(GzipMember(Data(count: 19)))
            XCTAssertNotNil(GzipMember(Data(count: 100)))
        }
    }
#endif
