import DiscreteNetworkingCore
import DiscreteNetworkingHTTP
import Foundation

/// A background transfer as it is on disk.
struct TransferRecord: StoredRecord, Equatable {
    static let title = "DiscreteNetworking transfer "
    static let suffix = ".transfer"

    let id: UUID
    let manager: String
    let version: Int
    let identity: CallIdentity
    let key: IdempotencyKey
    let created: Date
    let params: StoredParams
    /// Its request that was handed to the system; `nil` before the first one.
    var request: SentRequest?

    /// A request that was handed to the system. No header, no body, and no query: they may have tokens and signatures.
    struct SentRequest: Codable, Equatable, Sendable {
        let task: UUID
        let method: String
        let url: URL

        init(_ request: APIRequest, task: UUID) {
            self.task = task
            method = request.method.rawValue
            var components = URLComponents(url: request.url, resolvingAgainstBaseURL: true)
            components?.query = nil
            components?.fragment = nil
            components?.user = nil
            components?.password = nil
            url = components?.url ?? URL(fileURLWithPath: "/")
        }

        var request: APIRequest { APIRequest(url: url, method: HTTPMethod(rawValue: method)) }
    }

    var fileName: String { Self.fileName(id) }
    static func fileName(_ id: UUID) -> String { id.uuidString.lowercased() + suffix }

    /// The description of its task; `nil` before it has one.
    var description: String? { request.map { TaskName(transfer: id, task: $0.task).text } }

    /// Names what a later download of the same user with the same params may go on with.
    var resumeName: String {
        let parts = [
            manager, identity.user.map { "user \($0)" } ?? "", identity.environment.map { "in \($0)" } ?? "",
            Self.text(of: params),
        ]
        let text = parts.map { "\($0.utf8.count) \($0)" }.joined(separator: " ")
        return MessageDigest(.sha256, of: Data(text.utf8)).hexadecimal + ".resume"
    }

    private static func text(of params: StoredParams) -> String {
        switch params {
        case .plain(let text): text
        case .sealed(let data): data.base64EncodedString()
        }
    }
}

/// The description of a task: the transfer, and which of its tasks it is.
struct TaskName: Hashable, Sendable {
    let transfer: UUID
    let task: UUID

    init(transfer: UUID, task: UUID) {
        self.transfer = transfer
        self.task = task
    }

    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let transfer = UUID(uuidString: String(parts[0])),
            let task = UUID(uuidString: String(parts[1]))
        else { return nil }
        self.init(transfer: transfer, task: task)
    }

    var text: String { "\(transfer.uuidString.lowercased())/\(task.uuidString.lowercased())" }
}

/// How a task has ended, kept until its transfer is delivered.
struct TaskResult: StoredRecord, Equatable {
    static let title = "DiscreteNetworking transfer result "
    static let suffix = ".result"

    let transfer: UUID
    let task: UUID
    var url: URL?
    /// `nil` if there was no response.
    var status: Int?
    var headers: [[String]] = []
    var body: Data?
    /// Whether the body is a file of the folder.
    var hasFile = false
    var errorCode: Int?
    /// Why there is no response, if the framework knows it.
    var problem: String?
    /// Whether the system does not have the task any more.
    var isLost = false

    var manager: String { "a background transfer" }
    var fileName: String { Self.fileName(task) }
    static func fileName(_ task: UUID) -> String { task.uuidString.lowercased() + suffix }
    static func downloadName(_ task: UUID) -> String { task.uuidString.lowercased() + ".download" }
    static func bodyName(_ task: UUID) -> String { task.uuidString.lowercased() + ".body" }
}

extension TaskResult {
    init(_ name: TaskName, _ ending: BackgroundEnding, hasFile: Bool) {
        transfer = name.transfer
        task = name.task
        self.hasFile = hasFile
        body = ending.body
        errorCode = ending.errorCode
        guard let head = ending.head else { return }
        (url, status) = (head.url, head.status)
        headers = head.headers.map { [$0.name.rawName, $0.value] }
    }

    /// The failure of the exchange; `nil` if there is a response.
    var failure: TransportError? {
        if isLost {
            return TransportError(
                .connectionLost,
                message:
                    "The system does not have the background transfer any more, as after the user has ended the app; the server may have received it."
            )
        }
        if let problem { return TransportError(.unknown, message: problem) }
        if let errorCode {
            return TransportError(system: NSError(domain: NSURLErrorDomain, code: errorCode))
        }
        return status == nil
            ? TransportError(.badResponse, message: "The system has reported no response.") : nil
    }

    /// The response.
    /// - Parameters:
    ///   - request: The request, for what is missing.
    ///   - file: Where the body is, if it is a file.
    func response(to request: APIRequest, file: URL) throws(TransportError) -> TransportResponse {
        if let failure { throw failure }
        let fields = headers.compactMap { field -> HTTPFields.Field? in
            guard field.count == 2, let name = try? HTTPFields.Name(validating: field[0]) else { return nil }
            return HTTPFields.Field(name: name, value: field[1])
        }
        var status = status ?? 0
        // The last part of a download that the system went on with by itself: the file is whole.
        if status == 206, request.headers["Range"] == nil { status = 200 }
        var response = TransportResponse(url: url ?? request.url, status: status, headers: HTTPFields(fields))
        guard hasFile else {
            response.body = .data(body ?? Data())
            return try Self.checked(response, (body ?? Data()).count, request)
        }
        switch request.destination {
        case .file, .stream: response.body = .file(file)
        case .memory:
            guard let size = try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize else {
                throw TransportError(.connectionLost, message: "The downloaded file does not exist.")
            }
            response = try Self.checked(response, size, request)
            guard let data = try? Data(contentsOf: file) else {
                throw TransportError(.connectionLost, message: "The downloaded file cannot be read.")
            }
            response.body = .data(data)
        }
        return response
    }

    private static func checked(
        _ response: TransportResponse, _ size: Int, _ request: APIRequest
    ) throws(TransportError) -> TransportResponse {
        guard case .memory(let limit) = request.destination, size > limit else { return response }
        throw TransportError.tooLarge(limit)
    }
}
