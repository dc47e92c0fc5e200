public import DiscreteNetworkingCore
public import Foundation

/// The answer of a stub: a response or a failure, immediately, delayed or never.
///
/// ```swift
/// let answers: [StubAnswer] = [
///     .json(["id": 7, "name": "茶壶"]),
///     .json(encoding: product, status: 201).adding("ETag", "v1"),
///     .fixture("Fixtures/product.json"),
///     .status(503).after(3, by: clock),
///     .data(picture).inPieces(of: 1024).breakingOff(after: 4096),
///     .events([ServerSentEvent(id: "7", data: "new order")]),
///     .failure(.timedOut),
/// ]
/// ```
public struct StubAnswer: Sendable {
    /// The kind of answer.
    enum Ending: Sendable {
        case response
        case failure(TransportError)
        case never
        /// The answer is invalid, which fails the test.
        case mistake(String)
    }

    /// How the body is divided into chunks.
    enum Pieces: Sendable {
        case one
        case size(Int)
        case ends([Int])

        /// Returns the end of the chunk that starts at an offset.
        func end(from offset: Int) -> Int {
            switch self {
            case .one: .max
            case .size(let size): offset + size
            case .ends(let ends): ends.first { $0 > offset } ?? .max
            }
        }
    }

    var ending = Ending.response
    var status = 200
    var headers: HTTPFields = [:]
    var body = Data()
    var pieces = Pieces.one
    var breakOff: (after: Int, error: TransportError)?
    var wait: (@Sendable () async throws -> Void)?
    var pause: (@Sendable () async throws -> Void)?
}

// MARK: Responses

extension StubAnswer {
    /// Creates a JSON response.
    public static func json(_ value: JSONValue, status: Int = 200) -> StubAnswer {
        data(value.canonicalData, type: "application/json", status: status)
    }

    /// Creates a JSON response by encoding a value.
    /// - Parameters:
    ///   - value: The value to encode.
    ///   - encoder: The encoder. Default: ``/DiscreteNetworking/Params/makeEncoder()``.
    ///   - status: The status code. Default: 200.
    public static func json(
        encoding value: some Encodable, encoder: JSONEncoder = Params.makeEncoder(), status: Int = 200
    ) -> StubAnswer {
        do {
            return data(try encoder.encode(value), type: "application/json", status: status)
        } catch {
            return StubAnswer(
                ending: .mistake("The stub's \(type(of: value)) could not be encoded: \(error)"))
        }
    }

    /// Creates a text response. Default media type: UTF-8 `text/plain`.
    public static func text(
        _ text: String, type: String = "text/plain; charset=utf-8", status: Int = 200
    ) -> StubAnswer {
        data(Data(text.utf8), type: type, status: status)
    }

    /// Creates a response with data.
    public static func data(
        _ data: Data, type: String = "application/octet-stream", status: Int = 200
    ) -> StubAnswer {
        StubAnswer(status: status, headers: ["Content-Type": type], body: data)
    }

    /// Creates a response with the content of a file. Default media type: JSON for `.json` files.
    public static func file(_ url: URL, type: String? = nil, status: Int = 200) -> StubAnswer {
        let usual = url.pathExtension == "json" ? "application/json" : "application/octet-stream"
        do {
            return data(try Data(contentsOf: url), type: type ?? usual, status: status)
        } catch {
            return StubAnswer(ending: .mistake("The stub's file \(url.path) could not be read."))
        }
    }

    /// Creates a response with the content of a file beside the test file: `"Fixtures/product.json"`.
    public static func fixture(
        _ path: String, type: String? = nil, status: Int = 200, file: StaticString = #filePath
    ) -> StubAnswer {
        let folder = URL(fileURLWithPath: file.description).deletingLastPathComponent()
        return .file(folder.appendingPathComponent(path), type: type, status: status)
    }

    /// Creates a response without a body.
    public static func status(_ status: Int) -> StubAnswer { StubAnswer(status: status) }

    /// Returns the answer with another header field. A `Content-Type` replaces the default one.
    public func adding(_ name: HTTPFields.Name, _ value: String) -> StubAnswer {
        with {
            if name == "Content-Type" { $0.headers[name] = nil }
            $0.headers.append(name, value)
        }
    }
}

// MARK: Failures

extension StubAnswer {
    /// Creates a transport failure. `.timedOut`, `.cancelled` and `.notConnectedToInternet` are reported as
    /// `timedOut`, `cancelled` and `notReachable` of ``/DiscreteNetworking/APIError/Kind``, all others as
    /// ``/DiscreteNetworking/APIError/Kind/transport(_:)``.
    public static func failure(_ kind: TransportError.Kind) -> StubAnswer {
        .failure(TransportError(kind, message: "The stub returned this failure."))
    }

    /// Creates a transport failure.
    public static func failure(_ error: TransportError) -> StubAnswer { StubAnswer(ending: .failure(error)) }

    /// No answer until the call is canceled or times out.
    public static let never = StubAnswer(ending: .never)

    /// Returns the answer with a failure after a number of body bytes. A caller that holds the body in
    /// memory receives only the failure, after progress updates.
    public func breakingOff(
        after bytes: Int, with kind: TransportError.Kind = .connectionLost
    ) -> StubAnswer {
        with {
            let message = "The stub broke off the body after \(bytes) bytes."
            $0.breakOff = (max(0, bytes), TransportError(kind, message: message))
        }
    }
}

// MARK: Time

extension StubAnswer {
    /// Returns the answer delayed by a time in seconds of a clock.
    public func after(_ seconds: TimeInterval, by clock: TestClock) -> StubAnswer {
        with { $0.wait = { try await clock.sleep(for: seconds) } }
    }

    /// Returns the answer with its body in chunks: a stream receives them one by one, with progress for
    /// each.
    /// - Parameters:
    ///   - bytes: The size of a chunk.
    ///   - pause: The delay before each chunk except the first, in seconds of the clock.
    ///   - clock: The clock for the delays.
    public func inPieces(
        of bytes: Int, every pause: TimeInterval = 0, by clock: TestClock? = nil
    ) -> StubAnswer {
        with {
            $0.pieces = .size(max(1, bytes))
            if let clock { $0.pause = { try await clock.sleep(for: pause) } }
        }
    }

    func with(_ change: (inout StubAnswer) -> Void) -> StubAnswer {
        var copy = self
        change(&copy)
        return copy
    }
}
