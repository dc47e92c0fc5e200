import Foundation

/// Short texts for the user of an app: what a failure means to them, and what they can do.
///
/// ```swift
/// let messages = UserMessages.standard.adding(
///     "fr", [.offline: "Vous êtes hors ligne."])
/// ```
public struct UserMessages: Sendable {
    /// What a user can tell apart.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive(warn)
    #endif
    public enum Situation: Sendable, Hashable, CaseIterable {
        /// This device has no network.
        case offline
        /// The response did not arrive in time.
        case timedOut
        /// The server cannot be reached, or the connection broke.
        case noConnection
        /// The connection is not safe.
        case insecure
        /// The server has a problem, or is asked too often.
        case busy
        /// The user has to log in.
        case loginRequired
        /// The user may not do that.
        case forbidden
        /// What was asked for is not there, or no more.
        case notFound
        /// A file cannot be read, written or sent.
        case file
        /// The call was canceled.
        case cancelled
        /// What no user can help.
        case other
    }

    /// By language tag (RFC 5646), and then by situation.
    private var texts: [String: [Situation: String]]

    /// The same with another language, or with other texts for one. A situation without a text uses English.
    /// - Parameter language: a language tag, such as `"fr"`, `"pt-BR"` or `"zh-Hant"`.
    public func adding(_ language: String, _ texts: [Situation: String]) -> UserMessages {
        var more = self
        more.texts[Self.normal(language), default: [:]].merge(texts) { $1 }
        return more
    }

    /// The text for a situation in the first of some languages that has one, otherwise in English.
    ///
    /// A language is looked up with fewer and fewer subtags (RFC 4647 section 3.4): `de-AT`, then `de`.
    public func text(for situation: Situation, in languages: [String]) -> String {
        for language in languages {
            var tag = Self.normal(language)[...]
            while true {
                if let text = texts[String(tag)]?[situation] { return text }
                guard let hyphen = tag.lastIndex(of: "-") else { break }
                tag = tag[..<hyphen]
            }
        }
        return texts["en"]?[situation] ?? ""
    }

    /// In lower case, and Chinese by its script, which the tags of systems often leave out.
    private static func normal(_ language: String) -> String {
        let tag = language.lowercased().replacingOccurrences(of: "_", with: "-")
        let subtags = tag.split(separator: "-")
        guard subtags.first == "zh", !subtags.contains("hans"), !subtags.contains("hant") else { return tag }
        let isTraditional = subtags.contains { ["tw", "hk", "mo"].contains($0) }
        return (["zh", isTraditional ? "hant" : "hans"] + subtags.dropFirst()).joined(separator: "-")
    }

    /// English and Simplified Chinese.
    public static let standard = UserMessages(texts: [
        "en": [
            .offline: "You are offline. Check your connection and try again.",
            .timedOut: "This is taking too long. Please try again.",
            .noConnection: "The server cannot be reached. Please try again later.",
            .insecure: "A secure connection cannot be made. Please try another network.",
            .busy: "The service is busy. Please try again later.",
            .loginRequired: "Please log in to continue.",
            .forbidden: "You do not have permission to do this.",
            .notFound: "This is no longer available.",
            .file: "The file cannot be read or saved.",
            .cancelled: "Cancelled.",
            .other: "Something went wrong. Please try again later.",
        ],
        "zh-hans": [
            .offline: "当前没有网络连接，请检查网络后重试。",
            .timedOut: "请求超时，请重试。",
            .noConnection: "无法连接到服务器，请稍后重试。",
            .insecure: "无法建立安全连接，请更换网络后重试。",
            .busy: "服务繁忙，请稍后重试。",
            .loginRequired: "请先登录。",
            .forbidden: "您没有权限进行此操作。",
            .notFound: "内容不存在或已被删除。",
            .file: "文件无法读取或保存。",
            .cancelled: "已取消。",
            .other: "出了点问题，请稍后重试。",
        ],
    ])
}

extension UserMessages {
    /// The backend's message where there is one without a secret, otherwise a text for the situation.
    public func message(for error: APIError, in languages: [String]) -> String {
        if let message = error.businessMessage?.trimmingCharacters(in: .whitespacesAndNewlines),
            !message.isEmpty
        {
            let safe = error.redaction.redacted(sentence: message)
            // A user makes nothing of a mark.
            if !safe.contains(Redaction.mark) { return safe }
        }
        if error.kind == .swallowed, let cause = error.underlying {
            return message(for: cause, in: languages)
        }
        return text(for: Situation(error.kind), in: languages)
    }
}

extension UserMessages.Situation {
    /// What a kind of failure means to the user of an app.
    public init(_ kind: APIError.Kind) {
        self =
            switch kind {
            case .notReachable: .offline
            case .timedOut, .deadlineExceeded: .timedOut
            case .transport(let error): Self(error.kind)
            case .http(let status): Self(status: status)
            case .degraded: .busy
            case .refreshFailed(.timedOut): .timedOut
            case .refreshFailed, .loginRequired, .loginFailed, .loginCancelled: .loginRequired
            case .transfer: .file
            case .cancelled: .cancelled
            case .vetoed, .invalidParams, .serviceNotRegistered, .serviceCycle, .invalidService,
                .nestedTooDeeply, .notCached, .invalidRequest, .business,
                .decoding, .invalidResponse, .swallowed, .sessionUnavailable:
                .other
            }
    }

    private init(_ kind: TransportError.Kind) {
        self =
            switch kind {
            case .notConnectedToInternet: .offline
            case .timedOut: .timedOut
            case .cannotFindHost, .cannotConnect, .connectionLost: .noConnection
            case .secureConnectionFailed, .serverCertificateUntrusted, .publicKeyNotPinned,
                .clientCertificateRejected, .plainHTTPRefused:
                .insecure
            case .bodyUnavailable: .file
            case .cancelled: .cancelled
            case .badResponse, .responseTooLarge, .redirectRefused, .unsupported, .unknown: .other
            }
    }

    private init(status: Int) {
        self =
            switch status {
            case 401: .loginRequired
            case 403: .forbidden
            case 404, 410: .notFound
            case 408, 504: .timedOut
            case 429, 500...: .busy
            default: .other
            }
    }
}
