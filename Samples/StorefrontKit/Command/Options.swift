import Foundation

/// What the command line asks for.
struct Options: Equatable {
    /// `nil` means the server built in.
    var baseURL: URL?
    var isVerbose = false
    /// Whether to go on and on, for the inspector.
    var isInspected = false
    var wantsHelp = false

    struct UsageError: Error, Equatable { let message: String }

    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            switch argument {
            case "--help", "-h": wantsHelp = true
            case "--verbose": isVerbose = true
            case "--inspect": isInspected = true
            case "--base-url":
                guard let text = rest.next() else { throw UsageError(message: "--base-url needs a URL.") }
                baseURL = try Self.url(text)
            case let text where text.hasPrefix("--base-url="):
                baseURL = try Self.url(String(text.dropFirst("--base-url=".count)))
            default: throw UsageError(message: "Unknown option \(argument).")
            }
        }
    }

    private static func url(_ text: String) throws(UsageError) -> URL {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme), url.host?.isEmpty == false
        else {
            throw UsageError(message: "\(text) is not a URL such as http://127.0.0.1:8080.")
        }
        return url
    }

    static let help = """
        Usage: swift run Storefront [--base-url URL] [--verbose] [--inspect] [--help]

        Walks through a shop, one step for each way a call can end, and compares.
        Exit status: 0 if every outcome is the expected one; 1 if not; 64 for wrong options; 69 if a server does
        not start.

          --base-url URL  use another server with the same API, instead of the one built in
          --verbose       show every request as a cURL line, every response, every error
          --inspect       walk again and again, and print the URL of a page that shows all calls
          --help          show this
        """
}
