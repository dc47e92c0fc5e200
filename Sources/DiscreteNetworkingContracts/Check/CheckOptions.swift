package import DiscreteNetworkingCommands
package import Foundation

/// The command-line options of a contract check.
package struct CheckOptions {
    /// The base URL; `nil` for the services' own.
    package var baseURL: URL?
    var contracts: URL
    var mode = ContractSubject.Mode.compare
    var junit: URL?
    var json: URL?
    var html: URL?
    /// The names of the contracts to check; empty for all.
    var only: [String] = []
    package var wantsHelp = false

    /// An option that a command has besides the options of the check.
    package struct Added {
        let name: String
        let help: String
        let take: (inout CommandArguments) throws(UsageError) -> Void

        /// - Parameters:
        ///   - name: The option, such as `--drift`.
        ///   - help: The lines of the help, without an end.
        ///   - take: Called with the arguments after the option.
        package init(
            _ name: String, help: String,
            take: @escaping (inout CommandArguments) throws(UsageError) -> Void
        ) {
            (self.name, self.help, self.take) = (name, help, take)
        }
    }

    /// - Parameter contracts: The folder of the contracts, unless the arguments name another.
    package init(
        _ arguments: some Sequence<String>, contracts folder: String = "Contracts", adding: [Added] = []
    ) throws(UsageError) {
        self.contracts = URL(fileURLWithPath: folder, isDirectory: true)
        var rest = CommandArguments(arguments, help: Self.help(adding: adding))
        while let argument = rest.next() {
            switch argument {
            case "--help", "-h": wantsHelp = true
            case "--base-url": baseURL = try Self.url(try rest.value())
            case "--contracts": contracts = URL(fileURLWithPath: try rest.value(), isDirectory: true)
            case "--junit": junit = URL(fileURLWithPath: try rest.value())
            case "--json": json = URL(fileURLWithPath: try rest.value())
            case "--html": html = URL(fileURLWithPath: try rest.value())
            case "--only": only.append(try rest.value())
            case "--record", "--update":
                let new = argument == "--record" ? ContractSubject.Mode.record : .update
                guard mode == .compare || mode == new else {
                    throw UsageError("--record and --update exclude each other.")
                }
                mode = new
            default:
                guard let added = adding.first(where: { $0.name == argument }) else { throw rest.unknown() }
                try added.take(&rest)
            }
        }
    }

    private static func url(_ text: String) throws(UsageError) -> URL {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme), url.host?.isEmpty == false, url.user == nil,
            url.query == nil, url.fragment == nil
        else {
            throw UsageError("--base-url needs a URL such as https://staging.example.com.")
        }
        return url
    }

    /// The text of `--help`. What a command adds comes before `--help`.
    package static func help(adding: [Added] = []) -> String {
        adding.isEmpty ? help : "\(help.dropLast(last.count))\(adding.map { "\($0.help)\n" }.joined())\(last)"
    }

    private static let last = "  --help              show this"

    static let help = """
        Usage: contract-check [options]

        Calls the endpoints in the list and compares the shapes of their responses with their contracts. The
        first response completes a contract that generate-managers has written from a description.

        Exit status: 0 if nothing breaks the app; 1 if a drift does, or an endpoint is gone (404, 405, 410);
        2 if something could not be checked, such as for a missing contract; 64 for wrong options or an
        unknown name; 69 if the server is down.

          --base-url URL      call this server instead of the services' own; a path in it comes before theirs
          --contracts FOLDER  where the contracts are (default: Contracts)
          --record            record the contracts again; contracts of generate-managers are completed again
          --update            widen the contracts to admit the responses too
          --only NAME         check this one; may be given several times
          --junit FILE        write the outcome as JUnit XML too
          --json FILE         write the outcome as JSON too
          --html FILE         write the outcome as a page for the backend's team too
        \(last)
        """
}
