import DiscreteNetworkingCommands
import Foundation

/// The command-line options of a contract check.
struct CheckOptions: Equatable {
    /// The base URL; `nil` for the services' own.
    var baseURL: URL?
    var contracts = URL(fileURLWithPath: "Contracts", isDirectory: true)
    var mode = ContractSubject.Mode.compare
    var junit: URL?
    var json: URL?
    var html: URL?
    /// The names of the contracts to check; empty for all.
    var only: [String] = []
    var wantsHelp = false

    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var rest = CommandArguments(arguments, help: Self.help)
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
            default: throw rest.unknown()
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

    static let help = """
        Usage: contract-check [options]

        Calls the endpoints in the list and compares the shapes of their responses with their contracts. The
        first response completes a contract that generate-managers has written from a description.

        Exit status: 0 if nothing breaks the app; 1 if a drift does, or an endpoint is gone (404, 405, 410);
        2 if something could not be checked, such as for a missing contract; 64 for wrong options; 69 if the
        server is down.

          --base-url URL      call this server instead of the services' own; a path in it comes before theirs
          --contracts FOLDER  where the contracts are (default: Contracts)
          --record            write the contracts anew; those of generate-managers are completed anew
          --update            widen the contracts to admit the responses too
          --only NAME         check this one; may be given several times
          --junit FILE        write the outcome as JUnit XML too
          --json FILE         write the outcome as JSON too
          --html FILE         write the outcome as a page for the backend's team too
          --help              show this
        """
}
