import Foundation

/// One thing that happened to a call.
public struct APICallEvent: Sendable {
    /// The call, with the attempt it is in.
    public let call: APICall
    /// When.
    public let date: Date
    /// Seconds since the call started.
    public let elapsed: TimeInterval
    /// What.
    public let kind: Kind

    public enum Kind: Sendable {
        /// The call was let out by interceptor and validator.
        case started
        /// The generator made the request of this attempt.
        case requestBuilt(APIRequest)
        /// The request was handed to the transport, or joined an identical one.
        case sent(APIRequest)
        /// A response came, whatever its status.
        case received(APIResponse)
        /// The call will be repeated after so many seconds, because of an error.
        case repeated(after: TimeInterval, APIError)
        /// The response came from a cache, so many seconds old.
        case servedFromCache(age: TimeInterval)
        /// The service was asked about a failure, and decided.
        case intercepted(APIError, FailureDisposition)
        /// The call is over: with an error, or with success where there is none.
        case finished(APIError?)
    }
}

extension APICallEvent: SecretBearing {
    /// The call and what happened to it, without any secret.
    public var description: String { "\(call): \(kind)" }
}

extension APICallEvent.Kind: SecretBearing {
    /// What happened, without any secret.
    public var description: String {
        switch self {
        case .started: "started"
        case .requestBuilt(let request): "built \(request)"
        case .sent(let request): "sent \(request)"
        case .received(let response): "received \(response)"
        case .repeated(let seconds, let error): "repeated after \(seconds) s, because of \(error)"
        case .servedFromCache(let age): "served from a cache, \(age) s old"
        case .intercepted(let error, let disposition): "intercepted with \(disposition): \(error)"
        case .finished(let error): error.map { "finished with \($0)" } ?? "finished"
        }
    }
}

/// Somebody who wants to know what happens to calls: a logger, metrics, a test.
///
/// ```swift
/// struct Metrics: APICallObserver {
///     func observe(_ event: APICallEvent) {
///         if case .finished(let error) = event.kind { record(event.call.methodName, event.elapsed, error) }
///     }
/// }
/// ApiProxy.shared.addObserver(Metrics())
/// ```
///
/// Events of one call come one after the other, in order, on any thread; a cancelled call may end while
/// another event of it is still being told. An observer must not block.
public protocol APICallObserver: Sendable {
    func observe(_ event: APICallEvent)
}
