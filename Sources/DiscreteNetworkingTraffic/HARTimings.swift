import DiscreteNetworkingHTTP
import Foundation

/// The phases of an exchange, in seconds; -1 where a phase did not occur or is not known.
struct HARTimings {
    private(set) var blocked: TimeInterval = -1
    private(set) var dns: TimeInterval = -1
    /// With the TLS handshake.
    private(set) var connect: TimeInterval = -1
    private(set) var ssl: TimeInterval = -1
    private(set) var send: TimeInterval = 0
    private(set) var wait: TimeInterval = 0
    private(set) var receive: TimeInterval = 0

    /// The sum of the phases, as HAR defines the time of an entry.
    var total: TimeInterval {
        [blocked, dns, connect, send, wait, receive].reduce(0) { $0 + max(0, $1) }
    }

    init(_ exchange: RecordedExchange) {
        let whole = max(0, (exchange.end ?? exchange.start) - exchange.start)
        guard let metrics = exchange.response?.metrics, !exchange.isShared, let firstByte = metrics.firstByte
        else {
            wait = whole
            return
        }
        let end = max(firstByte, metrics.end ?? firstByte)
        // Times are those since the start of the transfer; the wait for a free connection comes before.
        var done: TimeInterval = 0
        func phase(until time: TimeInterval?) -> TimeInterval {
            guard let time else { return -1 }
            defer { done = max(done, time) }
            return max(0, time - done)
        }
        dns = phase(until: metrics.nameLookup)
        let tcp = phase(until: metrics.connect)
        ssl = phase(until: metrics.secureConnection)
        connect = tcp < 0 && ssl < 0 ? -1 : max(0, tcp) + max(0, ssl)
        let queued = max(0, phase(until: metrics.requestStart))
        send = max(0, phase(until: metrics.requestEnd))
        wait = max(0, phase(until: firstByte))
        receive = max(0, phase(until: end))
        blocked = queued + max(0, whole - end)
    }

    var json: JSONValue {
        func value(_ seconds: TimeInterval) -> JSONValue {
            seconds < 0 ? -1 : HTTPArchive.milliseconds(seconds)
        }
        return [
            "blocked": value(blocked), "dns": value(dns), "connect": value(connect), "ssl": value(ssl),
            "send": value(send), "wait": value(wait), "receive": value(receive),
        ]
    }
}
