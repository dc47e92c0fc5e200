import Foundation

/// Serves one client, request after request, on a thread of its own.
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
            // The rest of the request is still coming.
            socket.drain()
            return ending
        } catch {
            return .close
        }
    }

    /// What Objective-C autoreleases goes after every request, not with the thread.
    private func pooled<Result>(_ body: () -> Result) -> Result {
        #if canImport(Darwin)
            autoreleasepool(invoking: body)
        #else
            body()
        #endif
    }
}
