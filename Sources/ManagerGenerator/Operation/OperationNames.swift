/// What the managers of operations are called: by their `operationId`, or by method and path.
struct OperationNames {
    let words: [[String]]

    init(_ operations: [(path: String, method: String, id: String?)]) {
        let short = operations.map { Self.words(of: $0.id ?? "", $0.path, $0.method) }
        let counts = Dictionary(
            short.map { ($0.joined(separator: " ").lowercased(), 1) }, uniquingKeysWith: +)
        words = zip(operations, short).map { operation, words in
            guard let id = operation.id, !id.isEmpty else { return words }
            // What FastAPI adds is taken off only where the names stay different.
            return counts[words.joined(separator: " ").lowercased()] == 1 ? words : Words.split(id)
        }
    }

    private static func words(of id: String, _ path: String, _ method: String) -> [String] {
        guard !Words.split(id).isEmpty else {
            // GET /pets/{petId} is getPetsByPetID.
            let segments = path.split(separator: "/").flatMap { segment -> [String] in
                let words = Words.split(String(segment))
                return segment.contains("{") ? ["by"] + words : words
            }
            return Words.limited([method] + segments)
        }
        // FastAPI: the function's name, the path and the method, with an underscore for all that is no word.
        let slug = path.map { $0.isLetter || $0.isNumber || $0 == "_" ? String($0) : "_" }.joined()
        let suffix = "\(slug)_\(method)"
        guard id.hasSuffix(suffix), id.count > suffix.count else { return Words.split(id) }
        return Words.split(String(id.dropLast(suffix.count)))
    }
}
