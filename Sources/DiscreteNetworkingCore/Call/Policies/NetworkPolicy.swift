public import Foundation

/// Which networks a call may use, and how long it waits for one.
///
/// ```swift
/// // Half a minute, then .notReachable.
/// override var networkPolicy: NetworkPolicy { .waiting(30) }
/// override var networkPolicy: NetworkPolicy {
///     NetworkPolicy(wait: .infinity, interfaces: [.wifi, .wired])
/// }
/// ```
///
/// On Apple platforms, `NWPathMonitor` reports the types of interface, and whether a network is expensive or
/// constrained. `URLSession` enforces the three `allows…` properties, as in `URLRequest`. ``CurlTransport`` does not
/// enforce them. On Linux and watchOS, the type and the properties of a network are unknown. The policy then allows
/// every network.
public struct NetworkPolicy: Sendable, Hashable {
    /// A type of network interface.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive(warn)
    #endif
    public enum InterfaceType: Sendable, Hashable, CaseIterable {
        /// Wi-Fi.
        case wifi
        /// Cellular.
        case cellular
        /// Wired Ethernet.
        case wired
        /// Any other, such as a VPN.
        case other
    }

    /// The seconds that a call waits for a network it may use, from when it first finds none; `.infinity` for no limit.
    /// Then it fails with ``APIError/Kind/notReachable``. By the clock of the proxy.
    public var wait: TimeInterval
    /// The types of interface that the call may use.
    public var interfaces: Set<InterfaceType>
    /// Whether the call may use a network that the system considers expensive, such as a personal hotspot.
    public var allowsExpensiveNetworkAccess: Bool
    /// Whether the call may use a network in Low Data Mode.
    public var allowsConstrainedNetworkAccess: Bool

    /// Whether the call may use a cellular network: whether ``interfaces`` contains it.
    public var allowsCellularAccess: Bool {
        get { interfaces.contains(.cellular) }
        set { if newValue { interfaces.insert(.cellular) } else { interfaces.remove(.cellular) } }
    }

    /// Creates a policy; see the properties for each value.
    public init(
        wait: TimeInterval = 0, interfaces: Set<InterfaceType> = Set(InterfaceType.allCases),
        allowsExpensiveNetworkAccess: Bool = true, allowsConstrainedNetworkAccess: Bool = true
    ) {
        self.wait = wait
        self.interfaces = interfaces
        self.allowsExpensiveNetworkAccess = allowsExpensiveNetworkAccess
        self.allowsConstrainedNetworkAccess = allowsConstrainedNetworkAccess
    }

    /// Any network, without waiting.
    public static let any = NetworkPolicy()

    /// Any network, as soon as there is one.
    /// - Parameter seconds: The longest wait. Default: no limit; cancel the call.
    public static func waiting(_ seconds: TimeInterval = .infinity) -> NetworkPolicy {
        NetworkPolicy(wait: seconds)
    }
}
