#if os(macOS) || os(Linux)
    import DiscreteNetworkingJSON
    import Foundation

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
            let all = questions.map { question -> JSONValue in
                ["schema": question.schema, "documents": .array(question.documents)]
            }
            let output = try PythonScript.output(of: script, needing: "jsonschema", on: .array(all))
            let verdicts = try JSONValue(parsing: output)
            return (verdicts.array ?? []).map { ($0.array ?? []).map { $0.bool == true } }
        }
    }
#endif
