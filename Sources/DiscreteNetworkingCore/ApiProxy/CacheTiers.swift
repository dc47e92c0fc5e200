/// The memory and disk caches of a proxy.
///
/// The ``CachePolicy`` of a manager names the caches that it uses. The disk is accessed on its own queue.
///
/// ```swift
/// await ApiProxy.shared.caches.remove(.service(.storefront))
/// ```
public final class CacheTiers: ProxyState {
    package let machinery: any CacheMachinery

    package init(_ machinery: any CacheMachinery) { self.machinery = machinery }
}

/// What is in the caches of a proxy.
package protocol CacheMachinery: Sendable {
    /// What the module knows the type of, which is found faster than a conformance.
    var store: any AnyObject & Sendable { get }
    /// The number of the last change by which older responses are outdated: a request is not shared with one that was sent
    /// before it.
    /// - Parameter place: `nil` for a response that is not stored.
    func lastConfirmation(at place: ResponsePlace?) -> Int
    func remove(of service: ServiceIdentifier) async
    /// The user of a session, or the environment of a service, may be another from now on.
    func userMayHaveChanged()
}

/// Where the response of an attempt is stored.
package struct ResponsePlace: AttemptState {
    package static let lifetime = SlotLifetime.request
    package let value: any AnyObject & Sendable

    package init(_ value: any AnyObject & Sendable) { self.value = value }
}
