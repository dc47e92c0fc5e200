import DiscreteNetworkingCore
import DiscreteNetworkingTraffic
import Foundation
import LoopbackServer

/// Tells a page of the calls that have changed, as server-sent events (HTML Standard, section 9.2).
///
/// Nothing is queued for a page: it asks the recorder for what changed since it last had something to send. A slow page
/// gets fewer and newer states, and one that never reads costs no memory.
struct EventFeed: Sendable {
    let recorder: TrafficRecorder

    /// Changes are sent at most so often: a screen does not show more.
    private static let interval: TimeInterval = 0.1
    /// A comment after so many silent intervals finds out whether the page is still there.
    private static let silence = 100
    private static let batch = 250

    /// - Parameter revision: the change that the page has seen last.
    func response(after revision: Int) -> LoopbackResponse {
        // A page that knows a future state belongs to an earlier run of the app.
        let start = revision > recorder.revision ? 0 : revision
        return LoopbackResponse(
            headers: [("Content-Type", "text/event-stream; charset=utf-8")],
            body: .produced { [recorder] writer in
                var seen = start
                var silent = 0
                try writer.send(Data("retry: 1000\n\n".utf8))
                while true {
                    let changed =
                        recorder.revision > seen ? recorder.changes(since: seen, atMost: Self.batch) : []
                    if let last = changed.last {
                        seen = last.revision
                        silent = 0
                        try writer.send(Self.event(changed, recorder))
                    } else {
                        silent += 1
                        if silent % Self.silence == 0 { try writer.send(Data(":\n\n".utf8)) }
                    }
                    if changed.count < Self.batch { try writer.wait(seconds: Self.interval) }
                }
            })
    }

    private static func event(_ calls: [RecordedCall], _ recorder: TrafficRecorder) -> Data {
        let oldest = recorder.oldest.map { JSONValue.number(JSONNumber($0.rawValue)) }
        let data: JSONValue = [
            "calls": .array(calls.map(recorder.summary(of:))), "oldest": oldest ?? 0,
        ]
        return Data("id: \(calls.last?.revision ?? 0)\ndata: ".utf8) + data.canonicalData + Data("\n\n".utf8)
    }
}
