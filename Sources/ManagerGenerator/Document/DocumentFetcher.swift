import DiscreteNetworkingCurl
import DiscreteNetworkingSupport
import Foundation

/// Fetches documents from a server, by the framework's own transport: it measures bodies decompressed, and follows no
/// redirect by itself.
struct DocumentFetcher: Sendable {
    let limits: DocumentLimits

    static let transport: any Transport = {
        #if os(Linux)
            if let transport = try? CurlTransport() { return transport }
        #endif
        return URLSessionTransport()
    }()

    /// Blocks until the document is there.
    /// - Throws: ``GeneratorError`` that names the URL without user, password and query.
    func data(at url: URL) throws(GeneratorError) -> Data {
        let outcome = Locked<Result<Data, GeneratorError>?>(nil)
        let done = DispatchSemaphore(value: 0)
        let task = Task {
            do throws(GeneratorError) {
                outcome.current = .success(try await fetch(url))
            } catch {
                outcome.current = .failure(error)
            }
            done.signal()
        }
        guard done.wait(timeout: .now() + limits.fetchTime) == .success, let outcome = outcome.current else {
            task.cancel()
            throw GeneratorError(
                "\(Self.name(url)) was not received within \(Int(limits.fetchTime.rounded(.up))) seconds; \(Self.advice)"
            )
        }
        return try outcome.get()
    }

    private static let advice = "save the description to a file, and give its path."

    private static func name(_ url: URL) -> String { VisibleText.url(url.absoluteString) }

    private func fetch(_ first: URL) async throws(GeneratorError) -> Data {
        var url = first
        for _ in 0...limits.redirects {
            let response = try await response(from: url)
            guard 300..<400 ~= response.status, response.status != 304 else {
                guard response.status == 200, case .data(let data) = response.body else {
                    throw GeneratorError(
                        "\(Self.name(url)) responds with status \(response.status); \(Self.advice)")
                }
                return data
            }
            guard let location = response.headers["Location"] else {
                throw GeneratorError(
                    "\(Self.name(url)) responds with a redirect without a Location; \(Self.advice)")
            }
            guard let next = URL(string: location, relativeTo: url)?.absoluteURL,
                next.isSameOrigin(as: first),
                next.host?.isEmpty == false, next.user == nil || next.user == first.user
            else {
                throw GeneratorError(
                    """
                    \(Self.name(url)) redirects to another server, \(VisibleText.url(location)). Give its URL, if that \
                    is meant.
                    """)
            }
            url = next
        }
        throw GeneratorError(
            "\(Self.name(first)) leads through more than \(limits.redirects) redirects; \(Self.advice)")
    }

    private func response(from url: URL) async throws(GeneratorError) -> TransportResponse {
        var request = APIRequest(url: url, destination: .memory(limit: limits.bytes))
        request.headers = .standard
        request.headers["Accept"] = "application/json, application/yaml;q=0.8"
        // A user and a password in a URL are Basic authentication (RFC 7617), and no part of the request's target.
        if let user = url.user, var components = URLComponents(url: url, resolvingAgainstBaseURL: true) {
            let password = components.password ?? ""
            components.user = nil
            components.password = nil
            request.url = components.url ?? url
            let pair = Data("\(user.removingPercentEncoding ?? user):\(password)".utf8)
            request.headers["Authorization"] = "Basic " + pair.base64EncodedString()
        }
        do {
            return try await Self.transport.send(request)
        } catch let error as TransportError {
            guard case .responseTooLarge = error.kind else {
                throw GeneratorError("\(Self.name(url)) cannot be read: \(error.message)")
            }
            throw GeneratorError(
                "\(Self.name(url)) is larger than \(DocumentLimits.text(limits.bytes)); a description is not."
            )
        } catch {
            throw GeneratorError("\(Self.name(url)) cannot be read: \(error.localizedDescription)")
        }
    }
}
