#if os(Linux)
    import Foundation
    import XCTest

    /// What the code of an app may write, and what the compiler refuses, seen from outside of the package.
    final class PublicSurfaceTests: XCTestCase {
        /// - Returns: what the compiler says; `nil` if it compiles without a warning.
        private func complaint(_ code: String) throws -> String? {
            let source = "import DiscreteNetworking\nimport Foundation\n" + code
            let (status, text) = try Snippets.compilation(
                of: [("App.swift", source)], ["-swift-version", "6"])
            return status == 0 ? nil : text
        }

        /// Compiles several lines at once.
        /// - Returns: what the compiler says about each line; empty if it compiles without a warning.
        private func complaints(_ lines: [String], after code: String = "") throws -> [String] {
            let text = try complaint(code + "\n" + lines.joined(separator: "\n")) ?? ""
            // Behind the imports.
            let first = 3 + code.split(separator: "\n", omittingEmptySubsequences: false).count
            let found = lines.indices.map { index in
                text.split(separator: "\n").filter { $0.contains("App.swift:\(first + index):") }
                    .joined(separator: "\n")
            }
            XCTAssertEqual(text.isEmpty, found.allSatisfy(\.isEmpty), text)
            return found
        }

        func testNoPublicMemberOfAForeignTypeHasACommonName() throws {
            let uses = [
                "String.empty", "Data.empty", "Optional<Int>.empty", "String.decode", "Data.decode",
                "String.emptyOutput", "Data.emptyOutput",
            ]
            let lines = uses.enumerated().map { "func f\($0)() { _ = \($1) }" }
            for (use, complaint) in zip(uses, try complaints(lines)) {
                XCTAssertTrue(
                    complaint.contains("has no member") || complaint.contains("inaccessible"),
                    "\(use): \(complaint)")
            }
        }

        func testAnAppMayHaveItsOwnMembersOfTheseNames() throws {
            let complaint = try complaint(
                """
                extension String { static var empty: String { "" } }
                extension Data { static var empty: Data { Data() } }
                extension Optional { static var empty: Self { nil } }
                extension Error { var userMessage: String { "app" } }
                func f(_ error: any Error) -> [Any?] {
                    let (text, data, none): (String, Data, Int?) = (.empty, .empty, .empty)
                    return [text, data, none, String.empty, Int?.empty, error.userMessage]
                }
                """)
            XCTAssertNil(complaint)
        }

        func testAMixedCatchNeedsNoCast() throws {
            let complaint = try complaint(
                """
                func f(_ manager: TypedAPIManager<DownloadedFile>, to url: URL) async -> String {
                    do {
                        let file = try await manager.load()
                        try FileManager.default.copyItem(at: file.url, to: url)
                        return ""
                    } catch {
                        return error.userMessage
                    }
                }
                """)
            XCTAssertNil(complaint)
        }

        /// In a `main.swift` or a `Task`, a call that returns at once must not look like one that waits.
        func testCallsOfAListThatWaitHaveNamesOfTheirOwn() throws {
            func complaints(_ calls: [String]) throws -> [String] {
                try self.complaints(
                    calls.enumerated().map {
                        "@MainActor func browse\($0)(_ list: TypedPagedAPIManager<Page>) async throws { \($1) }"
                    },
                    after: """
                        nonisolated struct Page: APIPage {
                            struct Item: Decodable, Sendable, Identifiable { let id: Int }
                            let items: [Item]
                        }
                        """)
            }
            let waiting = [
                "firstPage()", "nextPage()", "previousPage()", "page(2)", "reload()", "reloadCurrentPage()",
            ]
            let started = [
                "loadFirstPage()", "loadNextPage()", "loadPreviousPage()", "loadPage(2)", "refresh()",
            ]
            for complaint in try complaints(waiting.map { "list.\($0)" }) {
                XCTAssertTrue(complaint.contains("not marked with 'await'"), complaint)
            }
            for complaint in try complaints(started.map { "_ = await list.\($0)" }) {
                XCTAssertTrue(complaint.contains("no 'async' operations"), complaint)
            }
            let accepted = waiting.map { "try await list.\($0)" } + started.map { "list.\($0)" }
            for (call, complaint) in zip(accepted, try complaints(accepted)) {
                XCTAssertEqual(complaint, "", call)
            }
        }

        /// Later versions may add cases.
        func testASwitchWithoutADefaultIsWarnedOf() throws {
            #if hasAttribute(nonexhaustive)
                let wait = """
                    func f(_ wait: APICallEvent.Wait) -> Int {
                        switch wait {
                        case .delay, .network, .refresh, .login, .csrfToken, .otherCalls, .response, .storedResponse: 1
                        REST
                        }
                    }
                    """
                XCTAssertTrue(
                    try complaint(wait.replacingOccurrences(of: "REST", with: ""))?
                        .contains("may have additional unknown values") == true)
                XCTAssertNil(
                    try complaint(wait.replacingOccurrences(of: "REST", with: "@unknown default: 2")))
                XCTAssertNil(
                    try complaint(
                        """
                        func f(_ error: APIError) -> String {
                            switch error.kind {
                            case .business(let code, let message): message ?? "\\(code)"
                            case .timedOut: "late"
                            default: error.userMessage
                            }
                        }
                        """))
            #endif
        }

        /// Later versions may know more reasons.
        func testASwitchOverTheReasonsOfAMissNeedsADefault() throws {
            #if hasAttribute(nonexhaustive)
                let reason = """
                    func f(_ reason: MissReason, _ part: RequestPart) -> Int {
                        let first = switch reason {
                        case .nothingStored, .differs, .expired, .varies, .otherVersion, .storingForbidden: 1
                        case .removed, .unreadable, .incomparable, .notCacheable: 2
                        REST
                        }
                        return switch part {
                        case .header, .param, .server, .query, .body, .credential, .user, .signingKey: first
                        case .environment, .cacheIdentity, .order, .setting: 4
                        REST
                        }
                    }
                    """
                let text = try complaint(reason.replacingOccurrences(of: "REST", with: "")) ?? ""
                XCTAssertGreaterThanOrEqual(
                    text.components(separatedBy: "may have additional unknown values").count, 3, text)
                XCTAssertNil(
                    try complaint(reason.replacingOccurrences(of: "REST", with: "@unknown default: 3")))
            #endif
        }

        func testNestedLiteralsOfSeveralTypesHaveAForm() throws {
            let complaint = try complaint(
                """
                func f(_ name: String, _ count: Int?) -> ([Params], [JSONValue]) {
                    let params: [Params] = [
                        ["d": ["a": 1, "b": "x"] as Params],
                        ["d": .object(of: ["a": 1, "b": name, "c": count])],
                        ["d": ["a": 1, "b": "x", "c": [1, "y", nil]] as JSONValue],
                    ]
                    let values: [JSONValue] = [
                        ["d": ["a": 1, "b": "x"], "e": [1, "x", nil, ["f": 1.5]]],
                        .object(of: ["a": 1, "b": name, "d": ["e": name] as Params]),
                    ]
                    return (params, values)
                }
                """)
            XCTAssertNil(complaint)
        }

        func testNestedValuesAreReadWithoutQuestionMarks() throws {
            let complaint = try complaint(
                """
                func f(_ json: JSONValue, _ params: Params) -> [Any?] {
                    [
                        json["a"]["b"].string, json["a"]?["b"]?.string, json["a"][0]["id"].int,
                        json["a"].array?.count, params["filter"]["min"].int, json[path: "a.b"]["c"].object?.keys,
                    ]
                }
                """)
            XCTAssertNil(complaint)
        }

        /// The arguments are checked where they are made; params stay possible, for a param source.
        func testTypedArgumentsAreChecked() throws {
            func load(_ arguments: [String]) throws -> [String] {
                try complaints(
                    arguments.enumerated().map {
                        "@MainActor func load\($0)() async throws { _ = try await TeaManager().load(\($1)) }"
                    },
                    after: """
                        final class TeaManager: APIManager<JSONValue>, APIManagerArguments {
                            let serviceIdentifier: ServiceIdentifier = "shop"
                            let methodName = "teas/{id}"
                            let requestType = HTTPMethod.get
                            nonisolated struct Arguments: ParamsConvertible {
                                var id: Int
                                var params: Params { ["id": id] }
                            }
                        }
                        """)
            }
            XCTAssertEqual(try load(["with: .init(id: 7)", "with: [\"id\": 7]"]), ["", ""])
            let wrong = ["with: TeaManager.Arguments()", "with: .init(number: 7)", "with: .init(id: \"7\")"]
            for (arguments, complaint) in zip(wrong, try load(wrong)) {
                XCTAssertNotEqual(complaint, "", arguments)
            }
        }
    }
#endif
