import DiscreteNetworkingJSON
import DiscreteNetworkingSupport
import Foundation

/// Reads the documents of a description: JSON as it is, YAML by way of a Ruby or Python that is installed.
struct DocumentLoader: Sendable {
    var limits = DocumentLimits()
    var saved = SavedDocuments()
    /// Where the converters of YAML are, as in the variable `PATH`.
    var toolPath = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    /// Loads the contents of a URL; replaced in tests.
    var read: (@Sendable (URL) throws -> Data)?

    /// - Parameter location: a path, or an `http` or `https` URL.
    static func url(of location: String) -> URL {
        if let url = URL(string: location), let scheme = url.scheme?.lowercased(),
            ["http", "https", "file"].contains(scheme)
        {
            return url
        }
        return URL(fileURLWithPath: location)
    }

    /// - Returns: The document, its size in bytes, and notes on its members that are there twice.
    func document(at url: URL) throws(GeneratorError) -> (value: JSONValue, size: Int, notes: [Note]) {
        let name = Self.shown(url)
        let data: Data
        do {
            data = try read?(url) ?? contents(of: url)
        } catch let error as GeneratorError {
            throw error
        } catch {
            throw GeneratorError("\(name) cannot be read: \(Self.reason(error))")
        }
        guard data.count <= limits.bytes else {
            throw GeneratorError(
                "\(name) is larger than \(DocumentLimits.text(limits.bytes)); a description is not.")
        }
        try refuseTooManyValues(data, name)
        do throws(JSONError) {
            let value = try JSONValue(parsing: data)
            let notes = DuplicateKeys(in: data).pointers.map { pointer in
                Note(
                    place: Place(document: Self.name(url), pointer: pointer),
                    text: "is there twice; only the last one is read.")
            }
            return (value, data.count, notes)
        } catch {
            if let recording = RecordedCall.archive(ofLines: data) { return (recording, data.count, []) }
            if data.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "<") {
                throw GeneratorError(
                    "\(name) is a web page or XML, and no description. Does the server ask for a login? Save the description to a file, and give its path."
                )
            }
            guard Self.mayBeYAML(data, url) else {
                throw GeneratorError("\(name) is not JSON: \(error)")
            }
        }
        return (try YAMLConverter.json(data, of: name, limits: limits, path: toolPath), data.count, [])
    }

    /// Those of some YAML files that can be converted, by one process: a process for each of some thousand takes minutes.
    /// Others are left for ``document(at:)``, which says what is wrong with them.
    func convertible(_ urls: [URL]) -> [URL: (value: JSONValue, size: Int)] {
        var sources: [(url: URL, data: Data)] = []
        for url in urls where ["yaml", "yml"].contains(url.pathExtension.lowercased()) {
            guard let data = try? read?(url) ?? contents(of: url), data.count <= limits.bytes,
                Self.mayBeYAML(data, url), (try? refuseTooManyValues(data, "")) != nil
            else { continue }
            sources.append((url, data))
            guard sources.map(\.data.count).reduce(0, +) <= limits.totalBytes else { return [:] }
        }
        let documents = sources.map(\.data)
        guard let values = YAMLConverter.values(of: documents, limits: limits, path: toolPath) else {
            return [:]
        }
        return Dictionary(
            zip(sources, values).map { ($0.url, ($1, $0.data.count)) }, uniquingKeysWith: { $1 })
    }

    /// The name by which places and references know a document.
    static func name(_ url: URL) -> String { url.isFileURL ? url.path : url.absoluteString }

    /// The name for error texts.
    private static func shown(_ url: URL) -> String { VisibleText.url(name(url)) }

    /// JSON begins with a brace; what does not, and says so in its name or in its first words, is YAML.
    private static func mayBeYAML(_ data: Data, _ url: URL) -> Bool {
        let head = String(decoding: data.prefix(4096), as: UTF8.self)
        guard head.drop(while: \.isWhitespace).first != "{" else { return false }
        return ["yaml", "yml"].contains(url.pathExtension.lowercased())
            || head.split(separator: "\n").contains {
                $0.hasPrefix("openapi:") || $0.hasPrefix("swagger:")
            }
    }

    /// Refuses a document with too many values before they take memory. Each has a comma or a bracket before it.
    private func refuseTooManyValues(_ data: Data, _ name: String) throws(GeneratorError) {
        guard data.count > limits.values else { return }
        let marks = Set("[{,".utf8)
        guard data.lazy.filter(marks.contains).count <= limits.values else {
            throw GeneratorError("\(name) has more than \(limits.values) values; a description has not.")
        }
    }

    private static func reason(_ error: any Error) -> String {
        let cocoa = error as NSError
        if cocoa.domain == NSCocoaErrorDomain {
            switch CocoaError.Code(rawValue: cocoa.code) {
            case .fileReadNoSuchFile, .fileNoSuchFile: return "there is no such file."
            case .fileReadNoPermission: return "there is no right to read it."
            default: break
            }
        }
        return error.localizedDescription
    }

    private func contents(of url: URL) throws -> Data {
        let url = saved.file(of: url) ?? url
        guard url.isFileURL else { return try DocumentFetcher(limits: limits).data(at: url) }
        let file = try FileHandle(forReadingFrom: url)
        defer { try? file.close() }
        // No more than can be used: what somebody named may be a device without an end.
        return try file.read(upToCount: limits.bytes + 1) ?? Data()
    }
}
