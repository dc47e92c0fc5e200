import DiscreteNetworking

/// Prints every request that is sent, as a cURL line that runs when it is pasted.
struct Verbose: APICallObserver {
    let print: @Sendable (String) -> Void

    func observe(_ event: APICallEvent) {
        if case .sent(let request) = event.kind { print("     > \(request.curlCommand())") }
    }
}
