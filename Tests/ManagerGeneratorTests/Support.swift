import DiscreteNetworkingJSON
import Foundation
import XCTest

@testable import ManagerGenerator

/// Where the files of these tests are.
let testFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

/// The lists of `constructs.json` that are loaded page by page.
let constructsPaging = ["number:page,size", "cursor:cursor,limit", "cursor:starting_after,limit"]

/// A description with these members beside the usual ones, as OpenAPI 3.1.
func describe(_ members: String, paths: String = "{}") throws -> Description {
    let text =
        #"{"openapi": "3.1.0", "info": {"title": "Shop", "version": "1"}, "#
        + #""servers": [{"url": "https://shop.example.com"}], "paths": \#(paths)\#(members.isEmpty ? "" : ", \(members)")}"#
    return try Description(JSONValue(parsing: text), at: URL(fileURLWithPath: "/api/openapi.json"))
}

/// What comes of a description.
func generate(
    _ members: String = "", paths: String = "{}",
    options: GeneratorOptions = GeneratorOptions(module: "ShopAPI")
) throws -> Generation {
    try Generation(describe(members, paths: paths), options: options)
}

/// A reference to a schema with a name.
func reference(_ name: String) -> String { ##"{"$ref": "#/components/schemas/\##(name)"}"## }

/// A model of these schemas as it is written.
func model(_ name: String, _ schemas: String, file: StaticString = #filePath, line: UInt = #line) throws
    -> String
{
    let generation = try generate(#""components": {"schemas": \#(schemas)}"#)
    return try XCTUnwrap(generation.model(name), "There is no \(name)", file: file, line: line)
}

extension Generation {
    /// The declaration of a model at the top level, in whichever file it is.
    func model(_ name: String) -> String? { files.lazy.compactMap { $0.text.declaration(of: name) }.first }
}

extension String {
    /// The declaration of a model at the top level, with its comment.
    func declaration(of name: String) -> String? {
        let lines = split(separator: "\n", omittingEmptySubsequences: false)
        let heads = ["struct", "enum", "indirect enum"].map { "nonisolated \($0) \(name)" }
        func isHead(_ line: Substring) -> Bool {
            guard let first = line.first, first != " ", first != "/" else { return false }
            return heads.contains { head in
                line.range(of: head).map {
                    [":", " ", ","].contains(line[$0.upperBound...].first ?? " ")
                }
                    ?? false
            }
        }
        guard let head = lines.firstIndex(where: isHead),
            let end = lines[head...].firstIndex(where: { $0 == "}" || $0.hasSuffix("{}") })
        else { return nil }
        let start =
            lines[..<head].lastIndex { !$0.hasPrefix("///") && !$0.hasPrefix("@") }.map { $0 + 1 } ?? 0
        return lines[start...end].joined(separator: "\n") + "\n"
    }
}

/// No file declares the model.
struct MissingModel: Error {
    let name: String
}

/// A folder of its own for a test.
final class TemporaryFolder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("generator-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func write(_ text: String, to path: String) throws -> String {
        let file = url.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: url.appendingPathComponent(path)), as: UTF8.self)
    }

    /// The declaration of a generated model, in whichever file it is.
    func model(_ name: String) throws -> String {
        let texts = try files.filter { $0.hasSuffix(".swift") }.map(text)
        guard let model = texts.lazy.compactMap({ $0.declaration(of: name) }).first else {
            throw MissingModel(name: name)
        }
        return model
    }

    /// All files, by their paths below the folder.
    var files: [String] {
        (FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []).filter {
            path in
            var isFolder: ObjCBool = false
            let file = url.appendingPathComponent(path).path
            return FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) && !isFolder.boolValue
        }
        .sorted()
    }
}

/// What a command printed.
struct CommandRun {
    var status: Int32 = 0
    var out: [String] = []
    var errors: [String] = []

    init(_ arguments: [String]) {
        var out: [String] = []
        var errors: [String] = []
        status = GenerateCommand.run(arguments, out: { out.append($0) }, error: { errors.append($0) })
        self.out = out
        self.errors = errors
    }
}

/// SplitMix64: numbers that a seed decides.
struct SeededNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
