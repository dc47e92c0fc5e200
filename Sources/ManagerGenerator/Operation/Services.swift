import Foundation

/// The backends of a description: that of its own servers, and another one for each list of servers that an operation or
/// its path has. Each is a service of its own, so that no token or key of one is sent to another.
struct Services: Sendable {
    /// That of the description first.
    private(set) var all: [ServiceDescription]
    /// The first service with a list of URLs.
    private var positions: [[String]: Int]

    /// Reads the servers of all paths, since the names of services are reserved before models are named.
    init(_ description: Description, identifier: String?, report: Report) throws(GeneratorError) {
        let main = try ServiceDescription(description, identifier: identifier, report: report)
        all = [main]
        positions = [main.servers.map(\.url): 0]
        guard description.version != .swagger2 else { return }
        var names = NameRegistry(reserved: [main.prefix.lowercased()])
        for (_, node) in try description.root.object("paths")?.members ?? [] {
            let item = try description.resolve(node)
            for operation in PathItem.operationNodes(of: item) {
                let servers = try Self.servers(
                    of: description.resolve(operation), in: item, description, report)
                guard !servers.isEmpty, index(of: servers) == nil else { continue }
                positions[servers.map(\.url)] = all.count
                all.append(Self.service(with: servers, beside: main, &names))
            }
        }
    }

    /// The service of an operation: the main one where neither it nor its path has servers.
    func service(
        of operation: Node, in item: Node, _ description: Description
    ) throws(GeneratorError) -> ServiceDescription {
        let servers = try Self.servers(of: operation, in: item, description, Report())
        return all[index(of: servers) ?? 0]
    }

    private func index(of servers: [ServiceDescription.Server]) -> Int? {
        positions[servers.map(\.url)]
    }

    private static func servers(
        of operation: Node, in item: Node, _ description: Description, _ report: Report
    ) throws(GeneratorError) -> [ServiceDescription.Server] {
        guard description.version != .swagger2 else { return [] }
        let own = try operation.array("servers")
        return try ServiceDescription.servers(own.isEmpty ? item.array("servers") : own, report)
    }

    /// A service that is named by what distinguishes its first URL: `shopUploads` for https://uploads.shop.example.com
    /// beside https://api.shop.example.com, `shopV2` for https://api.shop.example.com/v2.
    private static func service(
        with servers: [ServiceDescription.Server], beside main: ServiceDescription,
        _ names: inout NameRegistry
    ) -> ServiceDescription {
        let known = Set(words(of: main.servers.first?.url ?? ""))
        let distinct = words(of: servers.first?.url ?? "").filter { !known.contains($0) }
        let words = Words.split(main.identifier) + (distinct.isEmpty ? ["other"] : Array(distinct.prefix(3)))
        let prefix = names.unique(SwiftName.typePrefix(words: words))
        var service = main
        service.servers = servers
        service.prefix = prefix
        service.identifier = SwiftName.member(prefix)
        service.mainPrefix = main.prefix
        service.assignEnvironments()
        return service
    }

    /// The labels of the host without the last one, and the words of the path.
    private static func words(of text: String) -> [String] {
        guard let url = URL(string: text) else { return [] }
        let labels = (url.host ?? "").split(separator: ".").dropLast().map(String.init)
        return (labels + url.path.split(separator: "/").map(String.init)).flatMap(Words.split).map {
            $0.lowercased()
        }
    }
}
