public import Foundation

/// An event in the life of a call.
public struct APICallEvent: Sendable {
    /// The call, in its current attempt.
    public let call: APICall
    /// When the event occurred.
    public let date: Date
    /// The seconds since the call started.
    public let elapsed: TimeInterval
    /// The kind of event.
    public let kind: Kind
    /// The refresh, login or fetch of a CSRF token that the call waits for.
    package var awaited: RenewalMark?
    /// What is known at the end of the call only; `nil` before.
    package var end: End?

    package struct End: Sendable {
        /// Why the call was sent although a response might have been there.
        let misses: [String]
        /// `false` if the call was refused, or canceled at once.
        package let hasStarted: Bool
        /// The response; `nil` if there is none.
        let response: APIResponse?
    }

    /// The kind of an event.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive(warn)
    #endif
    public indirect enum Kind: Sendable {
        /// The call passed the interceptors and the validator.
        case started
        /// The call waits for something other than the server.
        case waiting(for: Wait)
        /// The request of this attempt was built.
        case requestBuilt(APIRequest)
        /// The request was passed to the transport or joined an identical one in flight.
        case sent(APIRequest)
        /// The request joined an identical one in flight, and receives its response.
        case joined
        /// A response with any status was received. Its body is decoded by the service's ``BodyTransform``; plugins have
        /// not processed it.
        case received(APIResponse)
        /// The response was decoded: its envelope, if it has one, was a success.
        case decoded(APIResponse)
        /// The call will be retried after a delay in seconds, because of an error.
        case repeated(after: TimeInterval, APIError)
        /// The host failed, and the call goes on at another host of its service; see ``FailoverPolicy``.
        case failedOver(from: ServiceHost, to: ServiceHost, APIError)
        /// A cached response was used; its age in seconds.
        case servedFromCache(age: TimeInterval)
        /// No cached response could be used, although the ``CachePolicy`` asks for one.
        case notInCache(MissReason)
        /// A GET that may share an exchange was sent: the requests in flight to the same URL, without its query, are not
        /// identical, or it cannot be compared with them.
        case notShared(MissReason)
        /// The attempt failed, and the session or the service has decided what to do.
        case failed(APIError, FailureDisposition)
        /// A plugin recovered from an error with an output.
        case recovered(from: APIError)
        /// The call ended, with an error or, if `nil`, successfully.
        case finished(APIError?)
    }

    /// What a call waits for.
    public typealias Wait = CallWait
}

/// One of several hosts of a service; see ``FailoverPolicy``.
public struct ServiceHost: Sendable, Hashable, CustomStringConvertible {
    /// Its base URL.
    public let baseURL: URL
    /// Its number in order. ``Service/baseURL`` has number 1.
    public let number: Int
    /// The number of hosts.
    public let count: Int

    package init(baseURL: URL, number: Int, count: Int) {
        (self.baseURL, self.number, self.count) = (baseURL, number, count)
    }

    /// The host, the port and the number: `b.example.com:443, host 2 of 3`.
    public var description: String {
        let host = baseURL.host ?? ""
        return
            "\(host.contains(":") ? "[\(host)]" : host):\(baseURL.effectivePort), host \(number) of \(count)"
    }
}

extension APICallEvent: SecretBearing {
    /// The call and the kind of event, with secrets redacted.
    public var description: String { "\(call): \(kind)" }
}

extension APICallEvent.Kind: SecretBearing {
    /// The kind of event, with secrets redacted.
    public var description: String {
        switch self {
        case .started: "started"
        case .waiting(let wait): "waiting for \(wait)"
        case .joined: "joined an identical request"
        case .decoded(let response): "decoded \(response)"
        case .requestBuilt(let request): "built \(request)"
        case .sent(let request): "sent \(request)"
        case .received(let response): "received \(response)"
        case .repeated(let seconds, let error): "repeated after \(seconds) s, because of \(error)"
        case .failedOver(let failed, let next, let error):
            "failed over from \(failed) to \(next), because of \(error)"
        case .servedFromCache(let age): "served from a cache, \(age) s old"
        case .notInCache(let reason): "not in the cache: \(reason)"
        case .notShared(let reason): "not shared: \(reason)"
        case .failed(let error, let disposition): "failed, disposition \(disposition): \(error)"
        case .recovered(let error): "recovered from \(error)"
        case .finished(let error): error.map { "finished with \($0)" } ?? "finished"
        }
    }
}

/// Observes the calls of a proxy: for logging, metrics or tests.
///
/// ```swift
/// struct Metrics: APICallObserver {
///     func observe(_ event: APICallEvent) {
///         if case .finished(let error) = event.kind {
///             record(event.call.methodName, event.elapsed, error)
///         }
///     }
/// }
/// ApiProxy.shared.addObserver(Metrics())
/// ```
///
/// Events of one call are delivered in order, on any thread. A canceled call may end while another of its
/// events is being delivered. An observer must not block.
public protocol APICallObserver: Sendable {
    /// Called for each event.
    func observe(_ event: APICallEvent)
}
