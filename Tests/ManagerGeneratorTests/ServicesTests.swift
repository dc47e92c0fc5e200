import Foundation
import XCTest

@testable import ManagerGenerator

/// Operations with servers of their own belong to a service of their own.
final class ServicesTests: XCTestCase {
    private func paths(_ servers: String) -> String {
        #"""
        {"/a": {"get": {"operationId": "a", "responses": {"204": {"description": ""}}}},
        "/b": {"servers": [{"url": "https://shop.example.com/"}], "get": {"operationId": "b", "tags": ["b"],
        "servers": [\#(servers)], "responses": {"204": {"description": ""}}}}}
        """#
    }

    private func text(_ name: String, of generation: Generation) throws -> String {
        try XCTUnwrap(generation.files.first { $0.path.hasSuffix("/\(name).swift") }, name).text
    }

    func testAServiceIsNamedByWhatDistinguishesItsServer() throws {
        for (url, name) in [
            ("https://uploads.shop.example.com", "shopUploads"), ("https://shop.example.com/v2", "shopV2"),
            ("https://files.cdn.net/shop", "shopFilesCdn"), ("https://shop.example.com:8443", "shopOther"),
            ("/batch", "shopBatch"),
        ] {
            let generation = try generate(paths: paths(#"{"url": "\#(url)"}"#))
            let type = name.prefix(1).uppercased() + name.dropFirst()
            XCTAssertTrue(try text("BManager", of: generation).contains("ServiceIdentifier.\(name)\n"), name)
            XCTAssertTrue(try text("AManager", of: generation).contains("ServiceIdentifier.shop\n"))
            XCTAssertTrue(
                try text("\(type)ServiceDescription", of: generation).contains("\(url)\")!"), url)
            XCTAssertTrue(try text("BManagerTests", of: generation).contains(".\(name): \(type)StubService"))
            XCTAssertEqual(generation.notes, [])
        }
    }

    func testTheServersOfTheDescriptionAreOneService() throws {
        for servers in ["", #"{"url": "https://shop.example.com"}"#] {
            let services = try generate(paths: paths(servers)).files.map(\.path).filter {
                $0.contains("/Service/")
            }
            XCTAssertEqual(
                services,
                ["ShopAPI/Service/ShopService.swift", "ShopAPI/Service/ShopServiceDescription.swift"])
        }
    }

    func testAWholeWordOfAServerSaysItsEnvironment() {
        for (servers, environments) in [
            (["https://api.latest.com", "https://eu.latest.com"], ["release", nil]),
            (["https://devices.example.com", "https://test2.example.com"], ["release", "develop"]),
            (["https://testapi.example.com", "https://developer.example.com"], ["develop", "release"]),
            (
                ["https://sandbox.example.com/test", "http://127.0.0.1:1", "https://prod.example.com"],
                ["releaseCandidate", "develop", "release"]
            ),
            (["https://a.example.com Staging.", "https://b.example.com"], ["releaseCandidate", "release"]),
            (["https://a.dev.example.com", "https://b.dev.example.com"], ["develop", "release"]),
            (["https://qa.example.com", "https://uat.example.com"], ["release", "releaseCandidate"]),
        ] as [([String], [String?])] {
            let found = ServiceDescription.environments(
                of: servers.map {
                    let parts = $0.split(separator: " ").map(String.init)
                    return .init(url: parts[0], documentation: parts.count > 1 ? parts[1] : nil)
                })
            XCTAssertEqual(found, environments, "\(servers)")
        }
    }

    func testAnExplodedStyleOfAPathIsReported() throws {
        func notes(_ parameter: String) throws -> [String] {
            let paths =
                #"{"/a/{p}": {"get": {"parameters": [{"name": "p", "in": "path", "required": true, \#(parameter)}], "responses": {"204": {"description": ""}}}}}"#
            return try generate(paths: paths).notes.map(\.text)
        }
        let list = #""schema": {"type": "array", "items": {"type": "string"}}"#
        for style in ["matrix", "label"] {
            let exploded = try notes(#""style": "\#(style)", "explode": true, \#(list)"#)
            XCTAssertEqual(
                exploded.count { $0.hasPrefix("is exploded in the style \(style)") }, 1, "\(exploded)")
            XCTAssertEqual(try notes(#""style": "\#(style)", \#(list)"#), [])
            XCTAssertEqual(
                try notes(#""style": "\#(style)", "explode": true, "schema": {"type": "string"}"#), [])
        }
    }

    func testSeveralCookiesAreOneHeader() throws {
        func service(_ schemes: String) throws -> String {
            let generation = try generate(
                #""security": [{"a": [], "b": []}, {"a": []}], "components": {"securitySchemes": {\#(schemes)}}"#,
                paths: #"{"/a": {"get": {"responses": {"204": {"description": ""}}}}}"#)
            return try text("ShopServiceDescription", of: generation)
        }
        let one = #""a": {"type": "apiKey", "in": "cookie", "name": "sid"}"#
        let two = one + #", "b": {"type": "apiKey", "in": "cookie", "name": "device"}"#
        XCTAssertTrue(try service(one).contains(#"headers["Cookie"] = credentials.a.map { "sid=" + $0 }"#))
        let both = try service(two)
        XCTAssertTrue(both.contains(#"credentials.a.map { "sid=" + $0 },"#), both)
        XCTAssertTrue(both.contains(#"credentials.b.map { "device=" + $0 },"#), both)
        XCTAssertTrue(both.contains(#"headers["Cookie"] = cookies.joined(separator: "; ")"#), both)
    }

    /// The login of Matrix takes no token.
    func testOperationsHaveTheTokenOnlyIfTheirSecurityNamesIt() throws {
        func manager(_ security: String, root: String = "") throws -> String {
            let generation = try generate(
                #"\#(root)"components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}, "key": {"type": "apiKey", "in": "header", "name": "X-Key"}}}"#,
                paths:
                    #"{"/a": {"get": {"operationId": "a", \#(security)"responses": {"204": {"description": ""}}}}}"#
            )
            return try text("AManager", of: generation)
        }
        let never = "usesSession: Bool { false }"
        let root = #""security": [{"token": []}], "#
        XCTAssertTrue(try manager("").contains(never))
        XCTAssertTrue(try manager(#""security": [], "#, root: root).contains(never))
        XCTAssertTrue(try manager(#""security": [{"key": []}], "#, root: root).contains(never))
        for security in [
            #""security": [{"token": []}], "#, #""security": [{}, {"token": []}], "#,
            #""security": [{"key": []}, {"key": [], "token": []}], "#,
        ] {
            XCTAssertFalse(try manager(security).contains("usesSession"), security)
        }
        XCTAssertFalse(try manager("", root: root).contains("usesSession"))
        XCTAssertTrue(
            try manager(#""security": [{"key": []}, {"token": []}], "#).contains(
                #"service?.usesSession("GET a") ?? true"#))
    }

    func testTheSessionHasTheTokenOfTheSchemeThatMostOperationsName() throws {
        func operation(_ scheme: String) -> String {
            #"{"security": [{"\#(scheme)": []}], "responses": {"204": {"description": ""}}}"#
        }
        let generation = try generate(
            #""components": {"securitySchemes": {"admin": {"type": "http", "scheme": "bearer"}, "user": {"type": "oauth2"}}}"#,
            paths:
                #"{"/a": {"get": \#(operation("admin")), "put": \#(operation("user")), "post": \#(operation("user"))}}"#
        )
        XCTAssertEqual(
            generation.notes.map { "\($0.place.text) \($0.text)" },
            [
                "/components/securitySchemes/admin has another token than user, which the session has; set it in the credentials."
            ])
        let service = try text("ShopServiceDescription", of: generation)
        XCTAssertTrue(service.contains("public var admin: String?"), service)
        XCTAssertFalse(service.contains("public var user"), service)
        XCTAssertTrue(
            service.contains(#"headers["Authorization"] = credentials.admin.map { "Bearer " + $0 }"#), service
        )
        XCTAssertTrue(try text("GetAManager", of: generation).contains("usesSession: Bool { false }"))
    }

    /// A key in `Authorization` has what the description says before it: Django's is "Token", and the server refuses "Bearer".
    func testAKeyInAuthorizationHasThePrefixOfTheDescription() throws {
        func session(_ description: String, _ name: String = "key") throws -> (line: String, notes: [String])
        {
            let scheme =
                #"{"type": "apiKey", "in": "header", "name": "Authorization", "description": "\#(description)"}"#
            let generation = try generate(
                #""security": [{"\#(name)": []}], "components": {"securitySchemes": {"\#(name)": \#(scheme)}}"#,
                paths: #"{"/a": {"get": {"responses": {"204": {"description": ""}}}}}"#)
            let service = try text("ShopService", of: generation)
            let lines = service.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            let line =
                lines.first { $0.hasPrefix("request.headers") }
                ?? lines.first { $0.contains("TokenSession()") }
            return (line ?? service, generation.notes.map(\.text))
        }
        let bearer = "public let session = TokenSession()"
        let token = #"request.headers["Authorization"] = "Token " + tokens.accessToken"#
        for (description, line) in [
            (#"Token-based authentication with required prefix \"Token\""#, token),
            (#"Pass it as a header: curl -H \"Authorization: Token [your-token]\""#, token),
            ("authorization: token 123abc", token.replacingOccurrences(of: "Token ", with: "token ")),
            (#"JWT. Example: \"Authorization: Bearer {token}\""#, bearer),
            ("Enter 'Bearer', a space and the token.", bearer),
        ] {
            let found = try session(description)
            XCTAssertEqual(found.line, line, description)
            XCTAssertEqual(found.notes, [], description)
        }
        XCTAssertEqual(try session("", "BearerToken").line, bearer)
        for description in ["", "Authorization: your key", "Authorization: <key>", "A prefix is not needed."]
        {
            let found = try session(description)
            XCTAssertEqual(
                found.line, #"request.headers["Authorization"] = tokens.accessToken"#, description)
            XCTAssertEqual(
                found.notes,
                ["names nothing before the key in Authorization, such as Bearer; the key is sent alone."])
        }
    }

    func testAServiceThatIsNotCalledIsNotWritten() throws {
        var options = GeneratorOptions(module: "ShopAPI")
        options.include = ["path:/a"]
        let generation = try generate(
            paths: paths(#"{"url": "https://uploads.example.com"}"#), options: options)
        XCTAssertFalse(generation.files.contains { $0.path.contains("Uploads") })
    }

    func testAnotherServiceBreaksCallers() throws {
        let before = try generate(paths: paths("")).manifest.surface
        let after = try generate(paths: paths(#"{"url": "https://uploads.example.com"}"#)).manifest.surface
        let changes = Surface(before.json).changes(to: Surface(after.json))
        XCTAssertEqual(
            changes.map(\.line),
            [
                "BREAKING changed GET /b: has other servers; it belongs to shopUploads now, which has to be registered"
            ])
        XCTAssertEqual(after.changes(to: after), [])
    }
}
