package import DiscreteNetworkingCore
import DiscreteNetworkingHTTP
import DiscreteNetworkingJSON
import Foundation

/// What is kept of a call: its description, the steps that it went through, and the requests that were sent for it.
package struct RecordedCall: Sendable {
    /// A step, with its time since the start of the call in seconds.
    struct Step: Sendable {
        let name: String
        let elapsed: TimeInterval
        /// A duration of the step, in seconds: the delay before a retry, or the age of a cached response.
        var seconds: TimeInterval?
        /// A text that belongs to it, without secrets.
        var text: String?
        /// The refresh or login that the call waits for.
        var awaited: RenewalMark?
        /// The approximate size in memory.
        var bytes: Int { 96 + (text?.utf8.count ?? 0) }
    }

    /// How the call ended.
    struct End: Sendable {
        let elapsed: TimeInterval
        /// The error and its kind; `nil` after a success.
        let error: (text: String, kind: String)?
        /// The place in the body that could not be decoded.
        var path: [String] = []
    }

    /// The call as it was started, without its request and sample.
    let call: APICall
    /// Whether its response is the manager's sample.
    let isSample: Bool
    let date: Date
    private(set) var steps: [Step] = []
    private(set) var exchanges: [RecordedExchange] = []
    private(set) var end: End?
    /// Why the call was sent although a response might have been there, as sentences.
    private(set) var misses: [String] = []
    /// Why the cache had no response. It is kept for the next exchange.
    private var cacheMiss: String?
    /// The code and message of the envelope, as JSON text and text.
    private(set) var business: (code: String, message: String?)?
    /// The number of the last change of any call when this one changed.
    package internal(set) var revision = 0
    /// The approximate size in memory.
    var bytes: Int { fixedBytes + listBytes + textBytes }
    private let fixedBytes: Int
    /// The approximate size of the steps and exchanges in memory.
    private var listBytes = 0
    private var textBytes: Int {
        (end?.error?.text.utf8.count ?? 0) + (end?.path ?? []).reduce(0) { $0 + $1.utf8.count + 16 }
            + (business?.code.utf8.count ?? 0)
            + (business?.message?.utf8.count ?? 0)
    }

    package var requestID: RequestID { call.requestID }

    init(_ start: APICallEvent, isForReplay: Bool) {
        call = start.call.recorded(forReplay: isForReplay)
        isSample = start.call.isSample
        date = start.date
        fixedBytes = 2048 + call.bytes
    }

    /// - Parameters:
    ///   - bodyLimit: The size in bytes from which on bodies are cut.
    ///   - byteLimit: The size in bytes from which on only the latest exchange is kept.
    mutating func add(_ event: APICallEvent, bodyLimit: Int, byteLimit: Int) {
        if let step = Step(event) {
            steps.append(step)
            listBytes += step.bytes
        }
        // A response that never ends its call, such as one that is repeated for ever, must not grow without a limit.
        if steps.count > Self.stepLimit { listBytes -= steps.remove(at: Self.stepLimit / 2).bytes }
        switch event.kind {
        case .sent(let request):
            if exchanges.count >= Self.exchangeLimit {
                removeExchange(at: Self.exchangeLimit / 2)
            }
            append(
                RecordedExchange(
                    request, attempt: event.call.attempt, date: event.date, elapsed: event.elapsed,
                    bodyLimit: bodyLimit))
            if let cacheMiss { change { $0.comment = cacheMiss } }
            cacheMiss = nil
        case .notInCache: cacheMiss = note(missOf: event)
        case .notShared:
            let miss = note(missOf: event)
            change { $0.comment = [$0.comment, miss].compactMap(\.self).joined(separator: " ") }
        case .joined: change { $0.isShared = true }
        case .received(let response): receive(response, event, bodyLimit: bodyLimit)
        case .decoded(let response):
            note(response)
            if let file = response.output as? DownloadedFile { change { $0.response?.keep(file) } }
        case .failed(let error, _), .failedOver(_, _, let error): fail(with: error, event)
        case .finished(let error):
            if let error { fail(with: error, event) }
            end = End(
                elapsed: event.elapsed,
                error: error.map { ($0.explanation, HTTPArchive.name(of: $0.kind)) },
                path: error.map(Self.path) ?? [])
        default: break
        }
        // One call alone may be larger than all may be.
        while bytes > byteLimit, exchanges.count > 1 { removeExchange(at: (exchanges.count - 1) / 2) }
    }

    private static func path(of error: APIError) -> [String] {
        guard case .decoding(let failure) = error.kind else { return [] }
        return failure.path.prefix(pathLimit).map(kept)
    }

    private static let pathLimit = 100

    private mutating func removeExchange(at index: Int) { listBytes -= exchanges.remove(at: index).bytes }

    private static let stepLimit = 1000
    private static let exchangeLimit = 100
    private static let missLimit = 8

    private mutating func append(_ exchange: RecordedExchange) {
        exchanges.append(exchange)
        listBytes += exchange.bytes
    }

    private mutating func change(_ change: (inout RecordedExchange) -> Void) {
        guard let last = exchanges.indices.last else { return }
        listBytes -= exchanges[last].bytes
        change(&exchanges[last])
        listBytes += exchanges[last].bytes
    }

    /// Ends the latest exchange with a response, after one for each redirect.
    private mutating func receive(_ response: APIResponse, _ event: APICallEvent, bodyLimit: Int) {
        guard let first = exchanges.last, first.end == nil else { return }
        for hop in response.redirects {
            let elapsed = event.elapsed - event.date.timeIntervalSince(hop.date)
            change { $0.receive(RecordedResponse(hop.response), at: elapsed) }
            append(
                RecordedExchange(
                    hop.next, attempt: first.attempt, date: hop.date, elapsed: elapsed, bodyLimit: bodyLimit))
        }
        change {
            let kept = RecordedResponse(response, to: $0.request.destination, bodyLimit: bodyLimit)
            $0.receive(kept, at: event.elapsed)
        }
    }

    /// - Returns: The reason as a sentence.
    private mutating func note(missOf event: APICallEvent) -> String {
        let text = event.kind.description
        let sentence = text.prefix(1).uppercased() + text.dropFirst() + "."
        if misses.count < Self.missLimit, !misses.contains(sentence) {
            misses.append(sentence)
            listBytes += sentence.utf8.count
        }
        return sentence
    }

    private mutating func note(_ response: APIResponse?) {
        guard let code = response?.businessCode else { return }
        business = (
            Self.kept(code.string ?? code.canonicalText), response?.businessMessage.map(Self.kept)
        )
    }

    /// As much of a message as will be shown, and a little: how long it is, the server decides.
    private static func kept(_ text: String) -> String {
        text.utf8.count <= 2 * Redaction.sentenceLimit
            ? text : String(decoding: text.utf8.prefix(2 * Redaction.sentenceLimit), as: UTF8.self)
    }

    /// Ends the latest exchange if it has no response.
    private mutating func fail(with error: APIError, _ event: APICallEvent) {
        note(error.response)
        change {
            guard $0.error == nil else { return }
            $0.error = error.explanation
            $0.end = $0.end ?? event.elapsed
        }
    }
}

extension RecordedCall.Step {
    /// - Returns: `nil` for an event that is no step of its own.
    fileprivate init?(_ event: APICallEvent) {
        let at = event.elapsed
        switch event.kind {
        case .requestBuilt: return nil
        case .waiting(.delay(let seconds)): self.init(name: "delayed", elapsed: at, seconds: seconds)
        case .waiting(.network): self.init(name: "waitingForNetwork", elapsed: at)
        case .waiting(.refresh):
            self.init(name: "waitingForRefresh", elapsed: at, awaited: event.awaited)
        case .waiting(.login): self.init(name: "waitingForLogin", elapsed: at, awaited: event.awaited)
        case .waiting(.csrfToken):
            self.init(name: "waitingForCSRFToken", elapsed: at, awaited: event.awaited)
        case .waiting(.response), .waiting(.storedResponse): return nil
        case .waiting(.otherCalls): self.init(name: "waitingForOtherCalls", elapsed: at)
        case .sent: self.init(name: "sent", elapsed: at, text: "\(event.call.attempt)")
        case .joined: self.init(name: "joined", elapsed: at)
        case .received(let response): self.init(name: "received", elapsed: at, text: "\(response.status)")
        case .decoded: self.init(name: "decoded", elapsed: at)
        case .repeated(let seconds, _): self.init(name: "repeated", elapsed: at, seconds: seconds)
        case .servedFromCache(let age): self.init(name: "servedFromCache", elapsed: at, seconds: age)
        case .notInCache(let reason): self.init(name: "notInCache", elapsed: at, text: "\(reason)")
        case .notShared(let reason): self.init(name: "notShared", elapsed: at, text: "\(reason)")
        case .failed(let error, let disposition):
            let name =
                switch disposition {
                case .report: "failed"
                case .swallow: "swallowed"
                case .retry: "failedAndRepeated"
                case .holdUntilRefreshed: "failedUntilRefreshed"
                case .holdUntilLoggedIn: "failedUntilLoggedIn"
                case .degrade: "degraded"
                }
            self.init(name: name, elapsed: at, text: error.explanation)
        case .recovered(let error):
            self.init(name: "recovered", elapsed: at, text: error.explanation)
        case .failedOver(_, let next, _): self.init(name: "failedOver", elapsed: at, text: "\(next)")
        case .finished(let error):
            let name = event.end?.hasStarted == false ? "refused" : "finished"
            self.init(name: name, elapsed: at, text: error?.explanation)
        // Events whose name says it all.
        default: self.init(name: event.kind.description, elapsed: at)
        }
    }
}
