import Foundation
import XCTest

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingTesting

/// A place where tasks wait until a test opens it, and where the test waits for them to arrive. It heeds
/// no cancellation, unlike a well-behaved transport.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var inside: [CheckedContinuation<Void, Never>] = []
        var arrivals = 0
    }

    private let state = Watched(State())

    func pass() async {
        await withCheckedContinuation { continuation in
            let passes = state.withLock { state in
                state.arrivals += 1
                if !state.isOpen { state.inside.append(continuation) }
                return state.isOpen
            }
            if passes { continuation.resume() }
        }
    }

    func arrival(
        _ count: Int = 1, fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line
    ) async {
        let line = TestLine(fileID: fileID, file: file, line: line)
        await state.wait(
            within: 30, at: line, until: { $0.arrivals >= count },
            missing: {
                "\(count) arrivals at the gate. There were \($0.arrivals)."
            })
    }

    var arrivals: Int { state.current.arrivals }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.inside = [] }
            return state.inside
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// Waits until something is so, giving others their turn. After the timeout the test fails, and shows the line that
/// waited.
/// - Parameter limit: in seconds.
@MainActor
func until(
    within limit: TimeInterval = 30, _ isSo: @MainActor () -> Bool, fileID: StaticString = #fileID,
    file: StaticString = #filePath, line: UInt = #line
) async {
    let clock = SystemClock()
    let end = clock.uptime + limit
    while !isSo() {
        guard clock.uptime < end else {
            let text = try? String(contentsOfFile: file.description, encoding: .utf8)
            let source = text?.components(separatedBy: "\n").dropFirst(Int(line) - 1).first
            return report(
                "Waited \(limit.formatted()) s in vain: \(source?.trimmingCharacters(in: .whitespaces) ?? "")",
                at: TestLine(fileID: fileID, file: file, line: line))
        }
        await Task.yield()
    }
}
