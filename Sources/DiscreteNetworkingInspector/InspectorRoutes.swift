import DiscreteNetworkingCore
import DiscreteNetworkingTraffic
import Foundation
import LoopbackServer

/// The routes of the inspector, below its token:
///
///     GET  /            the page
///     GET  /events      the calls as they change, as server-sent events
///     GET  /calls/12    one call, as an HTTP Archive
///     GET  /queue       the calls that are sent later, as JSON
///     GET  /file        the file to open, if there is one
///     POST /har         the calls with the numbers in the body, as an HTTP Archive
///
/// and the actions; see ``InspectorActions``.
struct InspectorRoutes: Sendable {
    let recorder: TrafficRecorder
    let guardian: RequestGuard
    let actions: InspectorActions
    /// What the page opens at once.
    let file: ServedFile?
    /// The calls that are sent later.
    let queued: @Sendable () -> [QueuedCall]

    @Sendable
    func response(to request: LoopbackRequest) -> LoopbackResponse {
        var response: LoopbackResponse
        switch guardian.path(of: request) {
        case .success(let path):
            response = answer(request, path)
            response.trustsClient = true
        case .failure(let refusal):
            response = .text(refusal.reason + "\n", status: refusal.status)
            response.closesConnection = true
        }
        response.headers += Self.headers
        return response
    }

    private static let headers = [
        ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"),
        ("X-Content-Type-Options", "nosniff"),
        ("Cross-Origin-Resource-Policy", "same-origin"), ("X-Frame-Options", "DENY"),
    ]

    private var queue: JSONValue {
        let calls = queued().map { call -> JSONValue in
            var values: [String: JSONValue] = [
                "queue": .string(call.queue), "id": .string(call.id.uuidString.lowercased()),
                "manager": .string(call.manager), "lane": .string(recorder.redacted(call.lane)),
                "state": .string(call.state), "attempts": .number(JSONNumber(call.attempts)),
                "created": .number(JSONNumber(call.created.timeIntervalSince1970) ?? JSONNumber(0)),
            ]
            values["reason"] = call.reason.map { .string(recorder.redacted($0)) }
            values["user"] = call.user.map { .string($0) }
            return .object(values)
        }
        return ["calls": .array(calls)]
    }

    private func answer(_ request: LoopbackRequest, _ path: String) -> LoopbackResponse {
        switch (request.method, path) {
        case ("GET", ""):
            return InspectorPage.response(
                allowing: actions.allowed.names + (file == nil ? [] : ["file"]))
        case ("GET", "events"):
            let last = request.header("Last-Event-ID") ?? request.query.first { $0.name == "after" }?.value
            return EventFeed(recorder: recorder).response(after: last.flatMap { Int($0) } ?? 0)
        case ("GET", let path) where path.hasPrefix("calls/"):
            guard let number = UInt64(path.dropFirst("calls/".count)) else { return .status(404) }
            let archive = recorder.archive(of: [number])
            let isThere = archive[path: "log.pages.0"] != nil
            return isThere ? .data(archive.canonicalData, type: "application/json") : .status(404)
        case ("GET", "file"): return file?.response ?? .status(404)
        case ("GET", "queue"): return .data(queue.canonicalData, type: "application/json")
        case ("POST", "har"):
            guard let numbers = (try? JSONValue(parsing: request.body))?.array else { return .status(400) }
            let archive = recorder.archive(of: Set(numbers.compactMap(\.uint64)))
            return .data(archive.canonicalData, type: "application/json")
        case (_, ""), (_, "events"), (_, "queue"), (_, "file"), (_, "har"): return .status(405)
        default: return actions.response(to: request, path) ?? .status(404)
        }
    }
}
