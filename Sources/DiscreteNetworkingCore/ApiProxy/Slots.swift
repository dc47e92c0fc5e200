/// What policies keep with an attempt, a call or a proxy: one value of each type. Who keeps a value owns its type, so that
/// nobody else has to know of it.
struct Slots: Sendable {
    /// Most calls have one value, which needs no memory of its own.
    private var first: (any SlotValue)?
    /// A few at most: a search is faster than a hash.
    private var others: [any SlotValue] = []

    subscript<Value: SlotValue>(type: Value.Type) -> Value? {
        get {
            if let first, Swift.type(of: first) == Value.self { return first as? Value }
            for value in others where Swift.type(of: value) == Value.self { return value as? Value }
            return nil
        }
        set {
            if let first, Swift.type(of: first) == Value.self {
                self.first = newValue
            } else if let index = others.firstIndex(where: { Swift.type(of: $0) == Value.self }) {
                if let newValue { others[index] = newValue } else { others.remove(at: index) }
            } else if first == nil {
                first = newValue
            } else if let newValue {
                others.append(newValue)
            }
        }
    }

    /// Ends the values that last no longer than a lifetime.
    mutating func end(_ lifetime: SlotLifetime) {
        if let first, type(of: first).lifetime <= lifetime {
            first.end()
            self.first = nil
        }
        for value in others where type(of: value).lifetime <= lifetime { value.end() }
        others.removeAll { type(of: $0).lifetime <= lifetime }
    }
}

/// A value in a slot.
package protocol SlotValue: Sendable {
    static var lifetime: SlotLifetime { get }
    /// Called when an attempt ends it. Not called for what is kept with a call or a proxy, which ends with its owner.
    func end()
}

extension SlotValue {
    package func end() {}
}

/// How long a value is kept. Each lasts longer than the one before.
package enum SlotLifetime: Comparable {
    /// As long as the request that an attempt has built.
    case request
    /// Until the next attempt.
    case attempt
    /// As long as the attempts are made in one environment of the service.
    case environment
    /// As long as the call.
    case call
    /// As long as the proxy.
    case proxy
}

/// What a step leaves to the steps that it encloses, and to later attempts: a copy of the attempt has its own.
///
/// ```swift
/// /// The host that a call has chosen.
/// struct ChosenHost: AttemptState {
///     static let lifetime = SlotLifetime.environment
///     let url: URL
/// }
///
/// attempt[ChosenHost.self] = ChosenHost(url: url)
/// ```
package protocol AttemptState: SlotValue {}

/// What a policy keeps with a call, as long as somebody has the call.
package protocol CallState: SlotValue {}

extension CallState {
    package static var lifetime: SlotLifetime { .call }
}

/// What a policy keeps with a proxy, from the first call on that needs it.
package protocol ProxyState: AnyObject, SlotValue {}

extension ProxyState {
    package static var lifetime: SlotLifetime { .proxy }
}
