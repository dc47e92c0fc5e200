import DiscreteNetworkingJSON
import DiscreteNetworkingSupport
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Reads the documents of a description: JSON as it is, YAML by way of a Ruby or Python that is installed.
struct DocumentLoader: Sendable {
    /// Loads the contents of a URL; replaced in tests.
    var read: @Sendable (URL) throws -> Data = DocumentLoader.read

    /// - Parameter location: a path, or an `http` or `https` URL.
    static func url(of location: String) -> URL {
        if let url = URL(string: location), let scheme = url.scheme?.lowercased(),
            ["http", "https", "file"].contains(scheme)
        {
            return url
        }
        return URL(fileURLWithPath: location)
    }

    func document(at url: URL) throws(GeneratorError) -> JSONValue {
        let data: Data
        do {
            data = try read(url)
        } catch let error as GeneratorError {
            throw error
        } catch {
            throw GeneratorError("\(Self.name(url)) cannot be read: \(Self.reason(error))")
        }
        do throws(JSONError) {
            return try JSONValue(parsing: data)
        } catch {
            guard Self.mayBeYAML(data, url) else {
                throw GeneratorError("\(Self.name(url)) is not JSON: \(error)")
            }
        }
        return try YAMLConverter.json(data, of: Self.name(url))
    }

    static func name(_ url: URL) -> String { url.isFileURL ? url.path : url.absoluteString }

    /// JSON begins with a brace; what does not, and says so in its name or in its first words, is YAML.
    private static func mayBeYAML(_ data: Data, _ url: URL) -> Bool {
        let head = String(decoding: data.prefix(4096), as: UTF8.self)
        guard head.drop(while: \.isWhitespace).first != "{" else { return false }
        return ["yaml", "yml"].contains(url.pathExtension.lowercased())
            || head.split(separator: "\n").contains {
                $0.hasPrefix("openapi:") || $0.hasPrefix("swagger:")
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

    @Sendable
    private static func read(_ url: URL) throws -> Data {
        guard !url.isFileURL else { return try Data(contentsOf: url) }
        let outcome = Locked<Result<Data, any Error>?>(nil)
        let done = DispatchSemaphore(value: 0)
        var request = URLRequest(url: url, timeoutInterval: 30)
        request.setValue("application/json, application/yaml;q=0.8", forHTTPHeaderField: "Accept")
        URLSession.shared.dataTask(with: request) { data, response, error in
            if let error {
                outcome.current = .failure(error)
            } else if let status = (response as? HTTPURLResponse)?.statusCode, status != 200 {
                outcome.current = .failure(
                    GeneratorError("\(url.absoluteString) answers with status \(status)."))
            } else {
                outcome.current = .success(data ?? Data())
            }
            done.signal()
        }
        .resume()
        done.wait()
        return try outcome.current?.get() ?? Data()
    }
}
