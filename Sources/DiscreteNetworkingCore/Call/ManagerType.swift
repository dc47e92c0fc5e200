/// The class of a manager, which identifies endpoints for services, observers and transports.
///
/// ```swift
/// func envelope(for call: APICall) -> Envelope? {
///     call.managerType == HealthManager.self ? nil : standardEnvelope
/// }
/// ```
public struct ManagerType: Sendable {
    let type: AnyClass

    /// The name of the class, without its module.
    public var name: String { String(describing: type) }

    /// Returns whether this is a class or one of its subclasses.
    public func inherits<Manager: AnyObject>(from other: Manager.Type) -> Bool { type is Manager.Type }
}

extension ManagerType {
    /// Creates the identity of a manager's class.
    public init(_ type: AnyClass) { self.init(type: type) }
}

extension ManagerType: Hashable {
    public static func == (left: ManagerType, right: ManagerType) -> Bool { left.type == right.type }
    fileprivate func isSame(as other: AnyClass) -> Bool { type == other }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(type)) }
}

extension ManagerType: CustomStringConvertible {
    /// The same as ``name``.
    public var description: String { name }
}

extension ManagerType? {
    /// Returns whether this is exactly the given class, not a subclass.
    public static func == (left: ManagerType?, right: AnyClass) -> Bool { left?.isSame(as: right) ?? false }

    /// Returns whether this is not the given class.
    public static func != (left: ManagerType?, right: AnyClass) -> Bool { !(left == right) }
}
