import DiscreteNetworkingCore

/// Describes why no stub answers a request: the nearest stub and its mismatches.
struct UnansweredRequest {
    let request: APIRequest
    /// The stub with the fewest mismatches; of equal ones the last.
    private let nearest: (stub: Stub, mismatches: [String])?

    init(_ request: APIRequest, stubs: [Stub]) {
        self.request = request
        nearest = stubs.reversed().map { ($0, $0.mismatches(request)) }
            .min { Self.distance($0.0, $0.1) < Self.distance($1.0, $1.1) }
            .map { (stub: $0.0, mismatches: $0.1) }
    }

    /// Stubs that match in part are nearer than others.
    private static func distance(_ stub: Stub, _ mismatches: [String]) -> (Int, Int) {
        (mismatches.count, -stub.matchers.count)
    }

    var text: String {
        var text = "No stub answers \(request)"
        if let origin = request.origin {
            text +=
                " of \(origin.managerType) (service \(origin.serviceIdentifier), method \(origin.methodName))"
        }
        text += "."
        guard let nearest else { return text + " There are no stubs." }
        text += "\n  The nearest is for \(nearest.stub.name) (\(nearest.stub.line)), but:"
        return text + nearest.mismatches.map { "\n    " + $0 + "." }.joined()
    }
}
