/// What a path of a description has.
enum PathItem {
    static let methods = ["delete", "get", "head", "options", "patch", "post", "put", "query", "trace"]

    /// The operations of a path by their methods; OpenAPI 3.2 has others than the usual methods.
    static func operations(of item: Node) -> [(method: String, node: Node)] {
        methods.compactMap { method in item[method].map { (method, $0) } }
            + (item["additionalOperations"]?.members ?? [])
    }

    static func operationNodes(of item: Node) -> [Node] { operations(of: item).map(\.node) }
}
