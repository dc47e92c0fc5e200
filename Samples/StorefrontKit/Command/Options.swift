import DiscreteNetworkingCommands
import Foundation

/// What the command line asks for.
struct Options: Equatable {
    /// `nil` means the server built in.
    var baseURL: URL?
    var isVerbose = false
    /// The folder of the file with all calls.
    var traffic: URL?
    /// Whether to go on and on, for the inspector.
    var isInspected = false
    var wantsHelp = false

    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var rest = CommandArguments(arguments, help: Self.help)
        while let argument = rest.next() {
            switch argument {
            case "--help", "-h": wantsHelp = true
            case "--verbose": isVerbose = true
            case "--inspect": isInspected = true
            case "--base-url": baseURL = try Self.url(try rest.value())
            case "--traffic": traffic = URL(fileURLWithPath: try rest.value(), isDirectory: true)
            default: throw rest.unknown()
            }
        }
    }

    private static func url(_ text: String) throws(UsageError) -> URL {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme), url.host?.isEmpty == false
        else {
            throw UsageError("\(text) is not a URL such as http://127.0.0.1:8080.")
        }
        return url
    }

    static let help = """
        Usage: swift run Storefront [options]

        Walks through a shop, one step for each way a call can end, and compares.

        Exit status: 0 if every outcome is the expected one; 1 if not; 64 for wrong options; 69 if a server does
        not start or does not respond; 73 if the folder of --traffic cannot be made.

          --base-url URL    use another server with the same API, instead of the one built in
          --verbose         show what each step shows a user, every request as a cURL line, every response, every error
          --inspect         walk again and again, and print the URL of a page that shows all calls
          --traffic FOLDER  write all calls to a file that swift run inspect shows, also of a walk that is killed
          --help            show this
        """
}
