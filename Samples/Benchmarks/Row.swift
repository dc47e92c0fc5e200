import Foundation

/// What is fetched or sent over and over.
enum Workload: String, Codable, CaseIterable {
    case smallGet = "small-get"
    case oneMegabyteGet = "1mb-get"
    case oneMegabytePost = "1mb-post"

    var path: String {
        switch self {
        case .smallGet: "item"
        case .oneMegabyteGet: "megabyte"
        case .oneMegabytePost: "sink"
        }
    }
}

/// Who fetches it.
enum Client: String, Codable, CaseIterable {
    case urlSession = "urlsession"
    case urlSessionTransport = "URLSessionTransport"
    case curlTransport = "CurlTransport"
    case curlInC = "libcurl-c"
    case managerOverURLSession = "manager+URLSessionTransport"
    case managerOverCurl = "manager+CurlTransport"
}

/// One measurement; the names are those of the JSON file.
struct Row: Codable {
    var workload: Workload
    var client: Client
    var callers: Int
    var requestsPerSecond: Double
    var cpuMicrosecondsPerRequest: Double
    var peakResidentKilobytes: Int

    enum CodingKeys: String, CodingKey {
        case workload, client, callers
        case requestsPerSecond = "requests_per_second"
        case cpuMicrosecondsPerRequest = "cpu_us_per_request"
        case peakResidentKilobytes = "peak_rss_kb"
    }

    /// The middle one of each figure.
    static func median(_ rows: [Row]) -> Row {
        var row = rows[0]
        row.requestsPerSecond = rows.map(\.requestsPerSecond).quartiles.median
        row.cpuMicrosecondsPerRequest = rows.map(\.cpuMicrosecondsPerRequest).quartiles.median
        row.peakResidentKilobytes = rows.map(\.peakResidentKilobytes).max() ?? 0
        return row
    }
}
