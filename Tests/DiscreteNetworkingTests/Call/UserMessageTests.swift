import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// What the user of an app is told, which is never what its developer is told.
@MainActor
final class UserMessageTests: XCTestCase {
    private func error(_ kind: APIError.Kind, underlying: APIError? = nil) -> APIError {
        APIError(kind, call: .stub(), underlying: underlying, redaction: .standard)
    }

    private static let reason = "JSON at data.items.0; see Service.envelope(for:)"

    func testEveryKindHasAMessageInBothLanguages() {
        let standard: [(APIError.Kind, String, String)] = [
            (.notReachable, "You are offline. Check your connection and try again.", "当前没有网络连接，请检查网络后重试。"),
            (.timedOut, "This is taking too long. Please try again.", "请求超时，请重试。"),
            (.refreshFailed(.timedOut), "This is taking too long. Please try again.", "请求超时，请重试。"),
            (.http(status: 504), "This is taking too long. Please try again.", "请求超时，请重试。"),
            (.transport(.lost), "The server cannot be reached. Please try again later.", "无法连接到服务器，请稍后重试。"),
            (
                .transport(TransportError(.publicKeyNotPinned, message: Self.reason)),
                "A secure connection cannot be made. Please try another network.", "无法建立安全连接，请更换网络后重试。"
            ),
            (.degraded(until: nil), "The service is busy. Please try again later.", "服务繁忙，请稍后重试。"),
            (.http(status: 503), "The service is busy. Please try again later.", "服务繁忙，请稍后重试。"),
            (.http(status: 429), "The service is busy. Please try again later.", "服务繁忙，请稍后重试。"),
            (.http(status: 401), "Please log in to continue.", "请先登录。"),
            (.loginRequired, "Please log in to continue.", "请先登录。"),
            (.loginCancelled, "Please log in to continue.", "请先登录。"),
            (.loginFailed(reason: Self.reason), "Please log in to continue.", "请先登录。"),
            (.refreshFailed(.failed(reason: Self.reason)), "Please log in to continue.", "请先登录。"),
            (.http(status: 403), "You do not have permission to do this.", "您没有权限进行此操作。"),
            (.http(status: 404), "This is no longer available.", "内容不存在或已被删除。"),
            (.cancelled, "Cancelled.", "已取消。"),
        ]
        let others: [APIError.Kind] = [
            .vetoed, .invalidParams(reason: Self.reason), .serviceNotRegistered, .serviceCycle([.test]),
            .invalidRequest(reason: Self.reason), .http(status: 302),
            .business(code: 1, message: nil), .business(code: 1, message: " \n"),
            .decoding(.init(path: [], reason: Self.reason)), .invalidResponse(reason: Self.reason),
            .swallowed,
        ]
        let other = ("Something went wrong. Please try again later.", "出了点问题，请稍后重试。")
        for (kind, english, chinese) in standard + others.map({ ($0, other.0, other.1) }) {
            XCTAssertEqual(error(kind).userMessage(in: ["en-GB"]), english, "\(kind)")
            XCTAssertEqual(error(kind).userMessage(in: ["zh-CN", "en"]), chinese, "\(kind)")
        }
    }

    /// A server may repeat what the user typed, and a mark means nothing to them.
    func testAMessageWithASecretIsNotShown() async {
        let stack = Stack(ClosureTransport(json: #"{"code":7,"msg":"Wrong password p4ssw0rd-of-ming"}"#)) {
            $0.envelope = Envelope(code: "code", message: "msg")
        }
        let manager = stack.manager(TestManager<JSONValue>())
        let hidden = await failure(manager, with: ["password": "p4ssw0rd-of-ming"])
        XCTAssertEqual(hidden?.userMessage(in: ["en"]), "Something went wrong. Please try again later.")
        let shown = await failure(manager, with: ["password": "another-one"])
        XCTAssertEqual(shown?.userMessage(in: ["en"]), "Wrong password p4ssw0rd-of-ming")
    }

    /// In a `do` block with other errors beside those of calls.
    func testAnyErrorHasAMessage() async throws {
        let messages = UserMessages.standard
        func expected(_ situation: UserMessages.Situation) -> String {
            messages.text(for: situation, in: Locale.preferredLanguages)
        }
        struct Odd: Error {}
        let own: any Error = error(.business(code: 1, message: "库存不足"))
        XCTAssertEqual(own.userMessage, "库存不足")
        XCTAssertThrowsError(try Data(contentsOf: URL(fileURLWithPath: "/nowhere"))) {
            XCTAssertEqual($0.userMessage, expected(.file))
        }
        for (error, situation): (any Error, UserMessages.Situation) in [
            (CancellationError(), .cancelled), (TransportError.lost, .noConnection),
            (TransportError(.notConnectedToInternet, message: ""), .offline),
            (TransferFailure.unwritable(reason: ""), .file), (RefreshFailure.timedOut, .timedOut),
            (URLError(.timedOut), .timedOut), (URLError(.cannotFindHost), .noConnection),
            (URLError(.notConnectedToInternet), .offline), (URLError(.cancelled), .cancelled),
            (Odd(), .other),
        ] {
            XCTAssertEqual(error.userMessage, expected(situation), "\(error)")
        }
    }

    func testEverySituationHasAText() {
        for situation in UserMessages.Situation.allCases {
            let (english, chinese) = (
                UserMessages.standard.text(for: situation, in: ["en"]),
                UserMessages.standard.text(for: situation, in: ["zh-Hans"])
            )
            XCTAssertFalse(english.isEmpty || chinese.isEmpty || english == chinese, "\(situation)")
        }
    }

    func testTheMessageIsInTheLanguageOfTheUser() {
        let messages = UserMessages.standard.adding("zh-Hant", [.cancelled: "已取消（繁體）。"])
            .adding("pt-BR", [.cancelled: "Cancelado."]).adding("de", [.cancelled: "Abgebrochen."])
        for (languages, text) in [
            (["zh"], "已取消。"), (["zh-Hans-CN"], "已取消。"), (["zh_SG"], "已取消。"), (["ZH-cn"], "已取消。"),
            (["zh-TW"], "已取消（繁體）。"), (["zh-Hant-HK"], "已取消（繁體）。"), (["zh-Hant-HK", "en"], "已取消（繁體）。"),
            (["de-AT"], "Abgebrochen."), (["pt-PT", "de"], "Abgebrochen."), (["pt-br"], "Cancelado."),
            (["ja", "zh-Hans"], "已取消。"), (["ja"], "Cancelled."), ([], "Cancelled."),
            (["x--", "-"], "Cancelled."),
        ] {
            XCTAssertEqual(messages.text(for: .cancelled, in: languages), text, "\(languages)")
        }
        XCTAssertEqual(
            messages.text(for: .offline, in: ["de"]), "You are offline. Check your connection and try again.",
            "English where a language has no text for a situation")
    }

    func testTheMessageOfTheBackendIsShown() async {
        let stack = Stack(ClosureTransport(json: #"{"code":7,"msg":"库存不足"}"#)) {
            $0.envelope = Envelope(code: "code", message: "msg")
        }
        let error = await failure(stack.manager(ProductManager()))
        XCTAssertEqual(error?.userMessage(in: ["en"]), "库存不足")
        for (message, expected) in [
            ("系统错误", "系统错误"), ("password=hunter2", "The service is busy. Please try again later."),
        ] {
            let broken = Stack(ClosureTransport(json: #"{"code":7,"msg":"\#(message)"}"#, status: 500)) {
                $0.envelope = Envelope(code: "code", message: "msg")
            }
            let error = await failure(broken.manager(ProductManager()))
            XCTAssertEqual(error?.userMessage(in: ["en"]), expected, "beside a status, too")
        }
    }

    func testTheServiceCanReplaceTheMessage() async {
        let stack = Stack(ClosureTransport(json: "", status: 503)) {
            $0.userMessage = { error, languages in
                error.kind == .http(status: 503) && languages.first == "fr"
                    ? "La boutique est fermée." : "Closed (\(languages.joined(separator: ",")))."
            }
        }
        let error = await failure(stack.manager(ProductManager()))
        XCTAssertEqual(error?.userMessage(in: ["fr"]), "La boutique est fermée.")
        XCTAssertEqual(error?.userMessage(in: ["en", "de"]), "Closed (en,de).")
    }

    func testASwallowedFailureHasTheMessageOfItsCause() {
        let cause = error(.http(status: 404))
        XCTAssertEqual(
            error(.swallowed, underlying: cause).userMessage(in: ["en"]), "This is no longer available.")
    }
}
