import DiscreteNetworkingCore
public import DiscreteNetworkingTransfers
public import Foundation

extension StubAnswer {
    /// Creates an answer with server-sent events, one per chunk, after which the connection ends.
    ///
    /// ```swift
    /// stubs.on(
    ///     NewsManager.self,
    ///     answers: [
    ///         .events([ServerSentEvent(id: "7", data: "new order")]),
    ///         .status(204),
    ///     ])
    /// // Reconnects after the first response; 204 ends the loop.
    /// for try await event in NewsManager().events() { print(event.data) }
    /// ```
    ///
    /// - Parameters:
    ///   - events: The events.
    ///   - milliseconds: The reconnection time. Default: none.
    ///   - pause: The delay before each event except the first, in seconds of the clock.
    ///   - clock: The clock for the delays.
    public static func events(
        _ events: [ServerSentEvent], retry milliseconds: Int? = nil, every pause: TimeInterval = 0,
        by clock: TestClock? = nil
    ) -> StubAnswer {
        var text = milliseconds.map { "retry: \($0)\n" } ?? ""
        var (ends, lastID) = ([Int](), "")
        for event in events {
            guard let lines = event.lines(after: lastID) else {
                return StubAnswer(
                    ending: .mistake(
                        "A server cannot send the stub's event: \(event) has a CR, or a LF in its id or type."
                    ))
            }
            text += lines
            ends.append(text.utf8.count)
            lastID = event.id
        }
        return .text(text, type: "text/event-stream").with {
            $0.pieces = .ends(ends)
            if let clock { $0.pause = { try await clock.sleep(for: pause) } }
        }
    }
}

extension ServerSentEvent {
    /// Returns the text of the event (WHATWG HTML section 9.2.5); `nil` if it cannot be represented.
    /// - Parameter lastID: The ID of the previous event, which one without an `id` inherits.
    fileprivate func lines(after lastID: String) -> String? {
        let isOneLine = [id, type].allSatisfy { !$0.utf8.contains(0x0A) }
        guard isOneLine, !id.utf8.contains(0), ![id, type, data].contains(where: { $0.utf8.contains(0x0D) })
        else { return nil }
        var lines: [String] = []
        if id != lastID { lines.append("id: \(id)") }
        if type != "message" { lines.append("event: \(type)") }
        lines += data.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map {
            "data: \(Substring($0))"
        }
        return lines.joined(separator: "\n") + "\n\n"
    }
}
