import Foundation

extension ServiceDescription {
    /// The words of an environment, in a URL or a text. Whole words: `latest.example.com` is no server for tests.
    private static let words: [(environment: String, words: Set<String>)] = [
        (
            "develop",
            ["dev", "develop", "development", "local", "localhost", "test", "tests", "testing", "qa"]
        ),
        (
            "releaseCandidate",
            [
                "staging", "stage", "stg", "sandbox", "uat", "preprod", "preproduction", "candidate", "beta",
                "rc",
            ]
        ),
        ("release", ["production", "prod", "live"]),
    ]

    mutating func assignEnvironments() {
        for (index, environment) in Self.environments(of: servers).enumerated() {
            servers[index].environment = environment
        }
    }

    /// The environment that each server is for: one server of each, and one for release in any case.
    static func environments(of servers: [Server]) -> [String?] {
        var taken: Set<String> = []
        var found = servers.map { server in
            servers.count == 1
                ? nil : environment(of: server).flatMap { taken.insert($0).inserted ? $0 : nil }
        }
        guard !taken.contains("release"), !found.isEmpty else { return found }
        found[found.firstIndex(of: nil) ?? 0] = "release"
        return found
    }

    /// The environment that a server names: in its URL, else in its text.
    private static func environment(of server: Server) -> String? {
        if let host = URL(string: server.url)?.host, host.hasPrefix("127.") || host == "::1" {
            return "develop"
        }
        for text in [server.url, server.documentation ?? ""] {
            for word in text.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
                let word = bare(String(word))
                if let found = words.first(where: { $0.words.contains(word) }) { return found.environment }
            }
        }
        return nil
    }

    /// A word without its number, and without `api` before or after it: `test2` and `testapi` are `test`.
    private static func bare(_ word: String) -> String {
        var word = word
        while word.last?.isNumber == true { word.removeLast() }
        if word.hasPrefix("api") { return String(word.dropFirst(3)) }
        return word.hasSuffix("api") ? String(word.dropLast(3)) : word
    }
}
