import DiscreteNetworking

/// Prints every request that is sent.
struct Verbose: APICallObserver {
    let print: @Sendable (String) -> Void

    func observe(_ event: APICallEvent) {
        if case .sent(let request) = event.kind { print("     > \(line(for: request))") }
    }

    private func line(for request: APIRequest) -> String {
        "\(request.method) \(Redaction.standard.redacted(request.url))"
    }
}
