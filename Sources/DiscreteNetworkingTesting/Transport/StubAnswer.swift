import DiscreteNetworking
import Foundation

/// What a stub answers: a response, or a failure on the wire; at once, later or never.
///
/// ```swift
/// .json(["id": 7, "name": "茶壶"])
/// .json(encoding: product, status: 201).adding("ETag", "v1")
/// .fixture("Fixtures/product.json")
/// .status(503).after(3, by: clock)
/// .data(picture).inPieces(of: 1024).breakingOff(after: 4096)
/// .events([ServerSentEvent(id: "7", data: "new order")])
/// .failure(.timedOut)
/// ```
public struct StubAnswer: Sendable {
    /// What comes in the end.
    enum Ending: Sendable {
        case response
        case failure(TransportError)
        case never
        /// The answer itself could not be made; the test is told why.
        case mistake(String)
    }

    /// Where the body is cut into the pieces that a stream gives.
    enum Pieces: Sendable {
        case one
        case size(Int)
        case ends([Int])

        /// Where the piece ends that begins at an offset.
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
    /// JSON, as it stands there.
    public static func json(_ value: JSONValue, status: Int = 200) -> StubAnswer {
        data(value.canonicalData, type: "application/json", status: status)
    }

    /// What a value encodes to.
    /// - Parameter encoder: default: ``Params/makeEncoder()``.
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

    /// Text, sent as `text/plain` in UTF-8 where it is not said otherwise.
    public static func text(
        _ text: String, type: String = "text/plain; charset=utf-8", status: Int = 200
    ) -> StubAnswer {
        data(Data(text.utf8), type: type, status: status)
    }

    /// Bytes.
    public static func data(
        _ data: Data, type: String = "application/octet-stream", status: Int = 200
    ) -> StubAnswer {
        StubAnswer(status: status, headers: ["Content-Type": type], body: data)
    }

    /// The bytes of a file; a file `.json` goes as JSON.
    public static func file(_ url: URL, type: String? = nil, status: Int = 200) -> StubAnswer {
        let usual = url.pathExtension == "json" ? "application/json" : "application/octet-stream"
        do {
            return data(try Data(contentsOf: url), type: type ?? usual, status: status)
        } catch {
            return StubAnswer(ending: .mistake("The stub's file \(url.path) could not be read."))
        }
    }

    /// The bytes of a file that lies beside the test's own: `"Fixtures/product.json"`.
    public static func fixture(
        _ path: String, type: String? = nil, status: Int = 200, file: StaticString = #filePath
    ) -> StubAnswer {
        let folder = URL(fileURLWithPath: file.description).deletingLastPathComponent()
        return .file(folder.appendingPathComponent(path), type: type, status: status)
    }

    /// A status without a body.
    public static func status(_ status: Int) -> StubAnswer { StubAnswer(status: status) }

    /// The same, with one more header. A `Content-Type` takes the place of the one that the stub has by itself.
    public func adding(_ name: HTTPFields.Name, _ value: String) -> StubAnswer {
        with {
            if name == "Content-Type" { $0.headers[name] = nil }
            $0.headers.append(name, value)
        }
    }
}

// MARK: Failures

extension StubAnswer {
    /// The exchange fails on the wire. `.timedOut`, `.cancelled` and `.notConnectedToInternet` reach the manager as
    /// ``APIError/Kind/timedOut``, ``APIError/Kind/cancelled`` and ``APIError/Kind/notReachable``, all others as
    /// ``APIError/Kind/transport(_:)``.
    public static func failure(_ kind: TransportError.Kind) -> StubAnswer {
        .failure(TransportError(kind, message: "The stub failed as told."))
    }

    /// The exchange fails on the wire.
    public static func failure(_ error: TransportError) -> StubAnswer { StubAnswer(ending: .failure(error)) }

    /// No answer, until the call is cancelled or its time is up.
    public static let never = StubAnswer(ending: .never)

    /// The same, but the body ends after so many bytes with a failure. Where the body goes into memory, the caller
    /// gets only the failure, and the progress until then.
    public func breakingOff(
        after bytes: Int, with kind: TransportError.Kind = .connectionLost
    ) -> StubAnswer {
        with {
            let message = "The stub broke off after \(bytes) bytes, as told."
            $0.breakOff = (max(0, bytes), TransportError(kind, message: message))
        }
    }
}

// MARK: Time

extension StubAnswer {
    /// The same, once a clock was moved on by so many seconds.
    public func after(_ seconds: TimeInterval, by clock: TestClock) -> StubAnswer {
        with { $0.wait = { try await clock.sleep(for: seconds) } }
    }

    /// The same, with its body in pieces of so many bytes: a stream gives them one by one, and progress is told for
    /// each.
    /// - Parameters:
    ///   - pause: seconds before every piece but the first, by the clock.
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
