import DiscreteNetworking
import DiscreteNetworkingCommands
import Foundation

#if canImport(CBenchmarks)
    import CBenchmarks
#endif

/// One large body down and one up: the transport against libcurl in C, each in a process of its own.
enum Large {
    static func run(_ server: Server, size: Int, isQuick: Bool) throws {
        #if canImport(CBenchmarks)
            var table = AlignedTable(
                heads: [
                    "\(size >> 20) MB", "MB/s CurlTransport", "MB/s libcurl-c", "ratio", "peak over idle, MB",
                ],
                texts: 1)
            for direction in ["down", "up"] {
                var ratios: [Double] = []
                var speeds: [(ours: Double, theirs: Double)] = []
                var peak = 0.0
                for round in 1...(isQuick ? 1 : 5) {
                    CommandOutput.error.showProgress("\(size >> 20) MB \(direction), round \(round)")
                    let ours = try measured("CurlTransport", direction, server)
                    let theirs = try measured("libcurl-c", direction, server)
                    ratios.append(ours.speed / theirs.speed)
                    speeds.append((ours.speed, theirs.speed))
                    peak = max(peak, ours.peak)
                }
                CommandOutput.error.showProgress("")
                table.rows.append([
                    direction, speeds.map(\.ours).quartiles.median.text(0),
                    speeds.map(\.theirs).quartiles.median.text(0), ratios.quartiles.median.text(2),
                    peak.text(1),
                ])
            }
            print()
            for line in table.lines { print(line) }
        #endif
    }

    #if canImport(CBenchmarks)
        private static func measured(
            _ client: String, _ direction: String, _ server: Server
        ) throws -> (speed: Double, peak: Double) {
            let output = try Child.run(
                ["--large", client, direction, server.baseURL.absoluteString, server.largeFile.path])
            let words = String(decoding: output, as: UTF8.self).split(separator: " ").compactMap {
                Double($0)
            }
            guard words.count == 2 else { throw UnexpectedAnswer() }
            return (words[0], words[1])
        }
    #endif

    /// In the child: prints megabytes a second, and the peak of memory over what it was before.
    static func measure(_ arguments: [String]) async throws {
        #if canImport(CBenchmarks)
            guard arguments.count == 4, let server = URL(string: arguments[2]) else {
                throw UnexpectedAnswer()
            }
            let file = URL(fileURLWithPath: arguments[3])
            let isUpload = arguments[1] == "up"
            let url = server.appendingPathComponent(isUpload ? "sink" : file.lastPathComponent)
            let isOurs = arguments[0] == "CurlTransport"
            let transport = try CurlTransport()
            if isOurs { _ = try await transport.send(APIRequest(url: server.appendingPathComponent("item"))) }
            let idle = residentBytes()
            var bytes = 0
            let cost = try await Cost.of {
                bytes =
                    isOurs
                    ? try await transfer(isUpload, url, file, over: transport)
                    : Int(curl_direct_once(url.absoluteString, isUpload ? file.path : nil))
            }
            guard bytes >= 0 else { throw UnexpectedAnswer() }
            let peak = Double(peakResidentKilobytes()) / 1024 - Double(idle) / 1_048_576
            let text = "\(Double(bytes) / 1_048_576 / cost.wall) \(peak)"
            FileHandle.standardOutput.write(Data(text.utf8))
        #endif
    }

    #if canImport(CBenchmarks)
        private static func transfer(
            _ isUpload: Bool, _ url: URL, _ file: URL, over transport: CurlTransport
        ) async throws -> Int {
            var request = APIRequest(url: url, timeout: .infinity)
            if isUpload {
                request.method = .post
                request.body = .file(file)
                guard try await transport.send(request).status == 200 else { return -1 }
                return try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? -1
            }
            request.destination = .stream
            let response = try await transport.send(request)
            guard response.status == 200, case .stream(let stream) = response.body else { return -1 }
            var count = 0
            for try await piece in stream { count += piece.count }
            return count
        }
    #endif
}
