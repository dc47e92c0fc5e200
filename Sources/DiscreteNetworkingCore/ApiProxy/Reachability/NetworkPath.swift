/// What is known of the network that requests would use now.
public struct NetworkPath: Sendable, Hashable {
    /// Whether there is a network.
    public var isConnected: Bool
    /// The types of interface that it may use; empty if unknown.
    public var interfaces: Set<NetworkPolicy.InterfaceType>
    /// Whether the system considers it expensive, such as a personal hotspot.
    public var isExpensive: Bool
    /// Whether it is in Low Data Mode.
    public var isConstrained: Bool

    /// Creates a path.
    public init(
        isConnected: Bool, interfaces: Set<NetworkPolicy.InterfaceType> = [], isExpensive: Bool = false,
        isConstrained: Bool = false
    ) {
        self.isConnected = isConnected
        self.interfaces = interfaces
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
    }

    /// Whether a call may use it. What is unknown is allowed.
    func isAllowed(by policy: NetworkPolicy) -> Bool {
        (interfaces.isEmpty || !interfaces.isDisjoint(with: policy.interfaces))
            && (policy.allowsExpensiveNetworkAccess || !isExpensive)
            && (policy.allowsConstrainedNetworkAccess || !isConstrained)
    }
}
