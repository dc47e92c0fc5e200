import Foundation

/// What is fetched, sent or decoded over and over.
enum Workload: String, Codable, CaseIterable {
    case smallGet = "small-get"
    case oneMegabyteGet = "1mb-get"
    case oneMegabytePost = "1mb-post"
    /// A small document from a transport in this process: no network.
    case stub
    /// The same, from the memory cache.
    case memoryHit = "memory-hit"
    /// JSON that is decoded, without a network: a small object, then arrays of objects.
    case decodeSmall = "decode-60b"
    case decodeMedium = "decode-10kb"
    case decodeLarge = "decode-100kb"
    /// A JSON array of 50,000 products, without a network.
    case tenMegabyteJSON = "10mb-json"

    /// Below the server's base URL.
    var path: String {
        switch self {
        case .oneMegabyteGet: "megabyte"
        case .oneMegabytePost: "sink"
        case .smallGet, .stub, .memoryHit, .decodeSmall, .decodeMedium, .decodeLarge, .tenMegabyteJSON: "item"
        }
    }

    var clients: [Client] {
        switch self {
        case .smallGet, .oneMegabytePost: Client.allCases.filter { $0.isNetworked && $0 != .curlInCFresh }
        case .oneMegabyteGet: Client.allCases.filter(\.isNetworked)
        case .stub: [.decoder, .manager, .managerOffMain]
        case .memoryHit: [.manager, .managerOffMain]
        case .decodeSmall, .decodeMedium, .decodeLarge: [.decoder, .fastDecoder]
        case .tenMegabyteJSON: [.decoder, .fastDecoder, .manager]
        }
    }

    /// How many call at once.
    func callers(isQuick: Bool) -> [Int] {
        switch self {
        case .smallGet: [1, 16, 64, 256]
        case .oneMegabyteGet, .oneMegabytePost: isQuick ? [16] : [1, 16, 64, 256]
        case .stub: [1, 16]
        case .memoryHit, .decodeSmall, .decodeMedium, .decodeLarge, .tenMegabyteJSON: [1]
        }
    }
}

/// Who does it.
enum Client: String, Codable, CaseIterable {
    case urlSession = "urlsession"
    case urlSessionTransport = "URLSessionTransport"
    case curlTransport = "CurlTransport"
    /// libcurl driven in C, with one body buffer for each caller, used again.
    case curlInC = "libcurl-c"
    /// The same with a new buffer for each body.
    case curlInCFresh = "libcurl-c-fresh"
    case managerOverURLSession = "manager+URLSessionTransport"
    case managerOverCurl = "manager+CurlTransport"
    /// Called from a task that is not on the main actor.
    case managerOffMainOverCurl = "manager-off-main+CurlTransport"
    /// `JSONDecoder` alone.
    case decoder = "JSONDecoder"
    /// `FastJSONDecoder` alone.
    case fastDecoder = "FastJSONDecoder"
    /// Over a transport in this process.
    case manager
    case managerOffMain = "manager-off-main"

    var isNetworked: Bool {
        switch self {
        case .decoder, .fastDecoder, .manager, .managerOffMain: false
        default: true
        }
    }

    var isOffMain: Bool { self == .managerOffMain || self == .managerOffMainOverCurl }
}

/// One measurement; the names are those of the JSON file.
struct Row: Codable {
    var workload: Workload
    var client: Client
    var callers: Int
    var requestsPerSecond: Double
    var cpuMicrosecondsPerRequest: Double
    var peakResidentKilobytes: Int
    /// `nil` where nobody counts.
    var counts: Counts?

    enum CodingKeys: String, CodingKey {
        case workload, client, callers, counts
        case requestsPerSecond = "requests_per_second"
        case cpuMicrosecondsPerRequest = "cpu_us_per_request"
        case peakResidentKilobytes = "peak_rss_kb"
    }

    /// Whether both measured the same.
    func isCounterpart(of other: Row) -> Bool {
        workload == other.workload && client == other.client && callers == other.callers
    }

    /// The middle one of each figure.
    static func median(_ rows: [Row]) -> Row {
        var row = rows[0]
        row.requestsPerSecond = rows.map(\.requestsPerSecond).quartiles.median
        row.cpuMicrosecondsPerRequest = rows.map(\.cpuMicrosecondsPerRequest).quartiles.median
        row.peakResidentKilobytes = rows.map(\.peakResidentKilobytes).max() ?? 0
        row.counts = Counts.median(rows.compactMap(\.counts))
        return row
    }
}
