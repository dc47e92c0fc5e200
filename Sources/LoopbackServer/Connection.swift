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
        var reader = RequestReader(socket, connection: number, bodyLimit: bodyLimit, keepsBodies: keepsBodies)
        var ending = ResponseWriter.Ending.keep
        while ending == .keep {
            ending = pooled { serveNext(from: &reader) }
        }
        if ending == .reset {
            socket.resetOnDiscard()
        } else if socket.hasUnreadBytes {
            socket.drain()
        }
        ledger.retire(number)
    }

    private func serveNext(from reader: inout RequestReader) -> ResponseWriter.Ending {
        do {
            let (request, handler) = resolve(try reader.next())
            ledger.record(request)
            var writer = ResponseWriter(handler(request), to: request, on: socket, ledger: ledger)
            return writer.send()
        } catch let rejection as Rejection {
            let problem = LoopbackResponse.problem(rejection.status, rejection.explanation)
            var writer = ResponseWriter(problem, to: nil, on: socket, ledger: ledger)
            let ending = writer.send()
            // Discards the rest of the request.
            socket.drain()
            return ending
        } catch {
            return .close
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
