#if os(macOS) || os(Linux)
    import DiscreteNetworkingJSON
    import Foundation
    import XCTest

    /// Judges documents by the jsonschema of PyPI.
    struct JSONSchemaJudge {
        /// A schema of JSON Schema 2020-12, and documents.
        struct Question {
            let schema: JSONValue
            let documents: [JSONValue]
        }

        private static let script = """
            import json, sys
            from jsonschema import Draft202012Validator
            print(json.dumps([[Draft202012Validator(q["schema"]).is_valid(d) for d in q["documents"]]
                for q in json.load(open(sys.argv[1]))]))
            """

        /// Whether each document of each question is valid.
        /// - Throws: `XCTSkip` if jsonschema is not installed.
        static func verdicts(_ questions: [Question]) throws -> [[Bool]] {
            let folder = try TemporaryFolder()
            let all = questions.map { question -> JSONValue in
                ["schema": question.schema, "documents": .array(question.documents)]
            }
            let file = try folder.write(JSONValue.array(all).canonicalText, to: "questions.json")
            let output = folder.url.appendingPathComponent("output")
            try Data().write(to: output)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", "-c", script, file]
            process.standardOutput = try FileHandle(forWritingTo: output)
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else {
                if ProcessInfo.processInfo.environment["CI_REQUIRE_TOOLS"] != nil {
                    XCTFail("no jsonschema")
                }
                throw XCTSkip("jsonschema of PyPI is not installed.")
            }
            let verdicts = try JSONValue(parsing: Data(contentsOf: output))
            return (verdicts.array ?? []).map { ($0.array ?? []).map { $0.bool == true } }
        }
    }
#endif
