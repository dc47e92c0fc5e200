public import DiscreteNetworkingCore
public import Foundation

/// A login on another device (RFC 8628), such as for an Apple TV or a command.
///
/// ```swift
/// let device = try await client.authorizeDevice()
/// show("Open \(device.verificationURL) and enter \(device.userCode)")
/// session.adopt(SessionTokens(try await client.tokens(for: device)))
/// ```
public struct DeviceAuthorization: Sendable, Hashable {
    /// What the user enters.
    public let userCode: String
    /// The page on which the user enters it.
    public let verificationURL: URL
    /// The page with the code in it, for a QR code; `nil` if there is none.
    public let completeVerificationURL: URL?
    /// When the codes expire, by the clock of the proxy.
    public let expiry: Date
    /// The seconds between two questions.
    let interval: TimeInterval
    let deviceCode: String

    init(_ members: JSONValue, at now: Date) throws(OAuthError) {
        func text(_ name: String) throws(OAuthError) -> String {
            guard let text = members[name].string, !text.isEmpty else {
                throw .invalidResponse("it has no \(name).")
            }
            return text
        }
        func url(_ text: String) -> URL? {
            URL(string: text).flatMap { ["http", "https"].contains($0.scheme?.lowercased()) ? $0 : nil }
        }
        deviceCode = try text("device_code")
        userCode = try text("user_code")
        guard userCode.count <= 64, !userCode.unicodeScalars.contains(where: OAuthError.isInvisible) else {
            throw .invalidResponse("user_code is too long or has characters that nobody can enter.")
        }
        guard let page = url(try text("verification_uri")) else {
            throw .invalidResponse("verification_uri is no HTTP URL.")
        }
        verificationURL = page
        completeVerificationURL = members["verification_uri_complete"].string.flatMap(url)
        guard let seconds = members["expires_in"].double, seconds > 0 else {
            throw .invalidResponse("expires_in is no number of seconds.")
        }
        expiry = now.addingTimeInterval(min(seconds, 86_400))
        interval = min(max(members["interval"].double ?? 5, 1), 3600)
    }
}

extension DeviceAuthorization: SecretBearing {
    /// The page; never the codes.
    public var description: String { "DeviceAuthorization(\(verificationURL.host ?? ""))" }
}

extension OAuthClient {
    /// Asks for the codes of a login on another device (RFC 8628 section 3.1).
    /// - Throws: ``OAuthError``.
    @MainActor
    public func authorizeDevice(over proxy: ApiProxy = .shared) async throws(OAuthError)
        -> DeviceAuthorization
    {
        guard let url = server.deviceAuthorization else { throw .missing(.deviceAuthorization) }
        var params: Params = ["client_id": identifier]
        if !scope.isEmpty { params["scope"] = .string(scope) }
        return try DeviceAuthorization(
            try await post(params, to: url, over: proxy), at: proxy.clock.now)
    }

    /// Asks for the tokens of a device until the user has logged in (RFC 8628 section 3.4).
    ///
    /// Waits between two questions as long as the server says, by the clock of the proxy, five seconds more after each
    /// `slow_down`, and twice as long after each question without a response. Canceling the task ends it with
    /// `APIError.Kind.cancelled`.
    /// - Throws: ``OAuthError/expired`` if the codes expire; ``OAuthError/refused(code:description:)`` if the user refuses.
    @MainActor
    public func tokens(
        for device: DeviceAuthorization, over proxy: ApiProxy = .shared
    ) async throws(OAuthError) -> OAuthTokens {
        var interval = device.interval
        let grant: Params = [
            "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": device.deviceCode,
            "client_id": identifier,
        ]
        while true {
            // A canceled task sends nothing, and the call throws. Nothing comes after the codes have expired.
            let left = device.expiry.timeIntervalSince(proxy.clock.now)
            try? await proxy.clock.sleep(for: min(interval, max(left, 0)))
            guard proxy.clock.now < device.expiry else { throw .expired }
            do throws(OAuthError) {
                return try await tokens(grant, over: proxy)
            } catch .refused(code: "authorization_pending", description: _) {
                continue
            } catch .refused(code: "slow_down", description: _) {
                interval += 5
            } catch .refused(code: "temporarily_unavailable", description: _) {
                interval *= 2
            } catch .refused(code: "expired_token", description: _) {
                throw .expired
            } catch .call(let error) where Self.mayPass(error) {
                interval *= 2
            } catch {
                throw error
            }
        }
    }

    /// Whether a question may be asked again (RFC 8628 section 3.5).
    private static func mayPass(_ error: APIError) -> Bool {
        switch error.kind {
        case .timedOut, .notReachable, .transport: true
        case .http(let status): [429, 500, 502, 503, 504].contains(status)
        default: false
        }
    }
}
