public import DiscreteNetworkingCore
import Foundation

/// Fails unless a manager would send the recorded request.
///
/// ```swift
/// await assertSnapshot(
///     of: manager, with: ["id": 7], volatile: [.header("X-Nonce", .uuid)])
/// ```
///
/// The first run records the snapshot as a text file in `__Snapshots__` beside the test file and fails:
/// review it, commit it, and run again. Secrets are not recorded. `User-Agent` and `Accept-Language` are
/// ignored.
/// - Parameters:
///   - params: The arguments; `nil` to call the param source.
///   - name: Distinguishes several snapshots of a manager in one test.
///   - volatile: Fields that change from call to call, with their rules.
///   - isRecording: Whether to record the snapshot again, which fails the test.
///   - redaction: The redaction of secrets. Default: the redaction of the manager's proxy.
@MainActor
public func assertSnapshot(
    of manager: BaseAPIManager, with params: Params? = nil, named name: String? = nil,
    volatile: [VolatileField] = [], record isRecording: Bool = false, redaction: Redaction? = nil,
    fileID: StaticString = #fileID, file: StaticString = #filePath, function: String = #function,
    line: UInt = #line
) async {
    let place = TestLine(fileID: fileID, file: file, line: line)
    let subject = "\(type(of: manager))"
    let snapshot: RequestSnapshot
    do {
        let request = try await manager.request(with: params)
        snapshot = RequestSnapshot(
            try await RequestFields(request), volatile: volatile,
            redaction: redaction ?? manager.proxy.redaction)
    } catch {
        return report("\(subject) would send no request: \(error)", at: place)
    }
    guard snapshot.complaints.isEmpty else {
        let complaints = snapshot.complaints.map { "\n  " + $0 }.joined()
        return report(
            "\(subject) would send volatile fields that are not as they should be:" + complaints, at: place)
    }
    let stored = SnapshotFile(beside: file.description, function: function, parts: [subject, name])
    do {
        guard !isRecording, let expected = try stored.read() else {
            try stored.write(snapshot.lines)
            let why = isRecording ? "" : "There was no snapshot. "
            return report(
                "\(why)Recorded what \(subject) would send in \(stored.url.path). Look at it, and run the test again\(isRecording ? " without `record`" : "").",
                at: place)
        }
        guard expected != snapshot.lines else { return }
        report(
            """
            \(subject) would send another request than the snapshot says (- snapshot, + now):
            \(LineDifference.text(expected: expected, actual: snapshot.lines))
            Where the new one is right, delete \(stored.url.path) and run the test twice.
            """, at: place)
    } catch {
        report(
            "The snapshot \(stored.url.path) could not be read or written: \(error.localizedDescription)",
            at: place)
    }
}

/// The file of a snapshot: `__Snapshots__/ProductTests/testRequest.ProductManager.txt`.
struct SnapshotFile {
    let url: URL

    init(beside file: String, function: String, parts: [String?]) {
        let source = URL(fileURLWithPath: file)
        let test = String(function.prefix { $0 != "(" })
        let name = ([test] + parts.compactMap(\.self)).map(Self.safe).joined(separator: ".")
        url = source.deletingLastPathComponent().appendingPathComponent("__Snapshots__")
            .appendingPathComponent(source.deletingPathExtension().lastPathComponent)
            .appendingPathComponent(name + ".txt")
    }

    /// Returns the lines; `nil` if the file does not exist.
    func read() throws -> [String]? {
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        var lines = String(decoding: try Data(contentsOf: url), as: UTF8.self)
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        if lines.last == "" { lines.removeLast() }
        return lines
    }

    func write(_ lines: [String]) throws {
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: url, options: .atomic)
    }

    private static func safe(_ name: String) -> String {
        String(name.map { $0.isLetter || $0.isNumber || "-_".contains($0) ? $0 : "-" })
    }
}
