extension Inspector {
    /// What the page may do beside showing calls. Nothing by default.
    ///
    /// ```swift
    /// let inspector = try Inspector(allows: [.replay, .mock, .throttle])
    /// ```
    public struct Abilities: OptionSet, Sendable, Hashable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Sends a call again, with the same or other params and header fields. The service signs the new request and adds
        /// the token of now. No manager receives the response.
        public static let replay = Abilities(rawValue: 1 << 0)
        /// Responds to the next calls of an endpoint in place of the backend, as a ``/DiscreteNetworking/SampleResponse``
        /// does. Has no effect if the proxy forbids samples.
        public static let mock = Abilities(rawValue: 1 << 1)
        /// Delays the calls of an endpoint.
        public static let throttle = Abilities(rawValue: 1 << 2)
        /// Shows cURL commands with the tokens, cookies and passwords that were sent.
        public static let secrets = Abilities(rawValue: 1 << 3)

        /// The names by which the page knows them.
        var names: [String] {
            let all: [(Abilities, String)] = [
                (.replay, "replay"), (.mock, "mock"), (.throttle, "throttle"), (.secrets, "secrets"),
            ]
            return all.filter { contains($0.0) }.map(\.1)
        }
    }
}
