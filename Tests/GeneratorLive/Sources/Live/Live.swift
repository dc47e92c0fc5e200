import DiscreteNetworking
import Foundation

/// A program that calls a real server with generated managers, and stops at the first answer that is not as described.
@MainActor
public enum Live {
    private static var count = 0

    /// Makes the calls of a program, and ends it: with status 0 if all went well.
    /// - Parameter work: Is given the URL of the server, the program's only argument.
    public static func main(_ work: @MainActor (_ server: URL) async throws -> Void) async -> Never {
        guard let server = CommandLine.arguments.dropFirst().first.flatMap(URL.init(string:)) else {
            print("Usage: give the URL of the server.")
            exit(2)
        }
        do {
            try await work(server)
        } catch {
            print("After \(count) calls: \(error)")
            exit(1)
        }
        print("\(count) calls were answered as described.")
        exit(0)
    }

    /// A call that succeeds.
    /// - Returns: The decoded answer.
    @discardableResult
    public static func call<Output>(_ load: @MainActor () async throws -> Output) async throws
        -> Output
    {
        let output = try await load()
        count += 1
        return output
    }

    /// A call whose answer says this.
    public static func expect(line: Int = #line, _ isRight: @MainActor () async throws -> Bool)
        async throws
    {
        guard try await isRight() else {
            throw Unexpected(description: "The answer of line \(line) is another.")
        }
        count += 1
    }

    /// A call that the server refuses.
    /// - Returns: The error.
    @discardableResult
    public static func refused<Output>(
        _ kind: APIError.Kind, line: Int = #line, _ load: @MainActor () async throws -> Output
    ) async throws -> APIError {
        do {
            let output = try await load()
            throw Unexpected(description: "The call of line \(line) was not refused: \(output)")
        } catch let error as APIError where error.kind == kind {
            count += 1
            return error
        }
    }
}

private struct Unexpected: Error, CustomStringConvertible {
    let description: String
}
