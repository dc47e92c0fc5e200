import Foundation

/// Serves a client, request by request, on its own thread.
struct Connection: Sendable {
    typealias Resolve = @Sendable (LoopbackRequest) -> (LoopbackRequest, LoopbackRoute.Handler)

    let number: Int
    let socket: Socket
    let ledger: Ledger
    let bodyLimit: Int
    let keepsBodies: Bool
    let resolve: Resolve

    func serve() {
        var reader = RequestReader(
            socket, connection: number, bodyLimit: bodyLimit, keepsBodies: keepsBodies,
            patience: ledger.rules.patience)
        var ending = ResponseWriter.Ending.keep
        var isRejected = false
        while ending == .keep {
            (ending, isRejected) = pooled { serveNext(from: &reader) }
        }
        if ending == .reset {
            socket.resetOnDiscard()
        } else if isRejected || socket.hasUnreadBytes {
            socket.drain(seconds: ledger.rules.drainSeconds, bytes: ledger.rules.drainBytes)
        }
        ledger.retire(number)
    }

    /// - Returns: Whether the rest of a request that was rejected has to be read and forgotten.
    private func serveNext(from reader: inout RequestReader) -> (ResponseWriter.Ending, isRejected: Bool) {
        do {
            let (request, handler) = resolve(try reader.next())
            ledger.record(request)
            let response = handler(request)
            if response.trustsClient { ledger.trust(number) }
            var writer = ResponseWriter(response, to: request, on: socket, ledger: ledger)
            return (writer.send(), false)
        } catch let rejection as Rejection {
            let problem = LoopbackResponse.problem(rejection.status, rejection.explanation)
            var writer = ResponseWriter(problem, to: nil, on: socket, ledger: ledger)
            return (writer.send(), true)
        } catch {
            return (.close, false)
        }
    }

    /// Drains autoreleased Objective-C objects after each request.
    private func pooled<Result>(_ body: () -> Result) -> Result {
        #if canImport(Darwin)
            autoreleasepool(invoking: body)
        #else
            body()
        #endif
    }
}
