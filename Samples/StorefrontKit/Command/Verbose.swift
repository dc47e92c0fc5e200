import DiscreteNetworking

/// Prints all that happens to every call: requests as cURL lines, responses with their bodies, errors whole.
struct Verbose: APICallObserver {
    private let print: @Sendable (String) -> Void
    private let logger: APILogger

    init(print: @escaping @Sendable (String) -> Void) {
        self.print = print
        logger = APILogger(.full) { print("     > \($0)") }
    }

    func observe(_ event: APICallEvent) {
        logger.observe(event)
        guard case .finished(let error?) = event.kind else { return }
        print("     ! \(String(reflecting: error))")
        var text = ""
        dump(error, to: &text)
        for line in text.split(separator: "\n") { print("     ! \(line)") }
    }
}
