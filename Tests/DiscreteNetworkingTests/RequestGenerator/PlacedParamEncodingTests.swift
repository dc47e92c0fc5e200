import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Where each param goes, and how it is written there.
final class PlacedParamEncodingTests: XCTestCase {
    private let url = URL(string: "https://api.example.com/items?v=1")!

    private func encode(_ encoding: PlacedParamEncoding, _ params: Params) throws -> APIRequest {
        var request = APIRequest(url: url, method: .post)
        try encoding.encode(params, into: &request)
        return request
    }

    private func query(_ place: ParamLocation, _ value: JSONValue) throws -> String {
        let request = try encode(.placed(["a": place]), Params(values: ["a": value]))
        XCTAssertTrue(request.body.isNone)
        return String(request.url.absoluteString.dropFirst("https://api.example.com/items?v=1".count))
    }

    /// What a text holds is looked for in a redirect to another origin, as the fields of a form.
    func testATextIsNotedByItsName() throws {
        let request = try encode(
            .placed(["password": .text(contentType: "text/plain")]), ["password": "s3cr3t"])
        XCTAssertEqual(request.notes.bodyParams, ["password": "s3cr3t"])
        let response = TransportResponse(
            url: request.url, status: 307, headers: ["Location": "https://other.example.org/"])
        XCTAssertThrowsError(
            try RedirectFollower(transport: ClosureTransport(json: ""), redaction: .standard)
                .next(after: response, to: request))
    }

    func testABodyHasOneSource() throws {
        let text = ["note": ParamLocation.text(contentType: "text/plain")]
        let form = MultipartForm([.init(name: "b", body: .data(Data("1".utf8)))])
        let encodings: [PlacedParamEncoding] = [
            .placed(text, multipart: form), .placed(text.merging(["x": .field]) { $1 }),
            .placed(text.merging(["x": .json]) { $1 }),
            .placed(text, body: .data(Data("c".utf8)), contentType: "text/plain"),
        ]
        for encoding in encodings {
            XCTAssertThrowsError(try encode(encoding, ["note": "a", "x": "b"])) { error in
                XCTAssertTrue("\(error)".contains("whole body"), "\(error)")
            }
        }
    }

    /// The table of OpenAPI 3.1, section 4.8.12.4.
    func testStylesOfTheQuery() throws {
        let array: JSONValue = ["blue", "black", nil]
        let object: JSONValue = ["R": 100, "G": 200, "n": nil]
        XCTAssertEqual(try query(.query, "x y"), "&a=x%20y")
        XCTAssertEqual(try query(.query, nil), "")
        XCTAssertEqual(try query(.query, true), "&a=true")
        XCTAssertEqual(try query(.query, []), "")
        XCTAssertEqual(try query(.query, array), "&a=blue&a=black")
        XCTAssertEqual(try query(.query, object), "&G=200&R=100")
        XCTAssertEqual(try query(.query(explode: false), array), "&a=blue%2Cblack")
        XCTAssertEqual(try query(.query(explode: false), object), "&a=G%2C200%2CR%2C100")
        XCTAssertEqual(try query(.query(.spaceDelimited), array), "&a=blue%20black")
        XCTAssertEqual(try query(.query(.spaceDelimited, explode: true), array), "&a=blue&a=black")
        XCTAssertEqual(try query(.query(.pipeDelimited), array), "&a=blue%7Cblack")
        XCTAssertEqual(try query(.query(.tabDelimited), array), "&a=blue%09black")
        XCTAssertEqual(try query(.query(.deepObject), object), "&a%5BG%5D=200&a%5BR%5D=100")
        XCTAssertEqual(try query(.query(.deepObject), array), "&a%5B%5D=blue&a%5B%5D=black")
        XCTAssertEqual(
            try query(.query(.deepObject), ["x": ["y": 1, "z": [2, 3]]]),
            "&a%5Bx%5D%5By%5D=1&a%5Bx%5D%5Bz%5D%5B%5D=2&a%5Bx%5D%5Bz%5D%5B%5D=3")
        XCTAssertEqual(
            try query(.query(.deepObject), [["x": 1, "z": [2]], ["x": 3]]),
            "&a%5B0%5D%5Bx%5D=1&a%5B0%5D%5Bz%5D%5B%5D=2&a%5B1%5D%5Bx%5D=3")
        XCTAssertEqual(try query(.query(.json), ["x": 1]), "&a=%7B%22x%22%3A1%7D")
        XCTAssertEqual(try query(.query(named: "b[]"), array), "&b%5B%5D=blue&b%5B%5D=black")
    }

    func testHeadersAndCookies() throws {
        let request = try encode(
            .placed([
                "trace": .header(named: "X-Trace"), "X-IDs": .header, "X-Map": .header(explode: true),
                "no": .header,
                "session": .cookie, "tags": .cookie,
            ]),
            [
                "trace": "t1", "X-IDs": [1, 2], "X-Map": ["b": 2, "a": 1] as Params, "no": JSONValue.null,
                "session": "s;1", "tags": ["a", "b"], "rest": "q",
            ])
        XCTAssertEqual(request.headers["X-Trace"], "t1")
        XCTAssertEqual(request.headers["X-IDs"], "1,2")
        XCTAssertEqual(request.headers["X-Map"], "a=1,b=2")
        XCTAssertNil(request.headers["no"])
        XCTAssertEqual(request.headers["Cookie"], "session=s%3B1; tags=a%2Cb")
        XCTAssertEqual(request.url.query, "v=1&rest=q")
    }

    func testPlacedParamsFormABody() throws {
        let json = try encode(
            .placed(["order": .json, "dry": .query]), ["order": ["id": 7] as Params, "dry": true])
        XCTAssertEqual(json.body.text, #"{"id":7}"#)
        XCTAssertEqual(json.headers["Content-Type"], "application/json")
        XCTAssertEqual(json.notes.bodyParams, ["id": 7] as [String: JSONValue])
        XCTAssertEqual(json.url.query, "v=1&dry=true")
        let null = try encode(
            .placed(["o": .json(contentType: "application/merge-patch+json")]), ["o": JSONValue.null])
        XCTAssertEqual(null.body.text, "null")
        XCTAssertEqual(null.headers["Content-Type"], "application/merge-patch+json")
        XCTAssertTrue(try encode(.placed(["order": .json]), [:]).body.isNone)
        let text = try encode(.placed(["note": .text()]), ["note": "茶"])
        XCTAssertEqual(text.body.text, "茶")
        let form = try encode(
            .placed(["name": .field, "ids": .field, "csv": .field(explode: false), "o": .field, "z": .field]),
            ["name": "小 明", "ids": [1, 2], "csv": [1, 2], "o": ["x": 1] as Params, "z": JSONValue.null])
        XCTAssertEqual(
            form.body.text, "csv=1%2C2&ids=1&ids=2&name=%E5%B0%8F+%E6%98%8E&o=%7B%22x%22%3A1%7D")
        XCTAssertEqual(form.headers["Content-Type"], "application/x-www-form-urlencoded")
    }

    /// RFC 7578 section 4.4; OpenAPI 3.1 section 4.8.15.
    func testAnObjectInAFormIsAJSONPart() throws {
        let params: Params = ["o": ["x": 1] as Params, "l": [["y": 2]] as JSONValue, "t": "{}", "n": ["{"]]
        let request = try encode(
            .placed(
                ["o": .field, "l": .field, "t": .field, "n": .field],
                multipart: MultipartForm([], boundary: "b")),
            params)
        let text = try XCTUnwrap(request.body.text)
        for (name, value) in [("o", #"{"x":1}"#), ("l", #"{"y":2}"#)] {
            XCTAssertTrue(
                text.contains("name=\"\(name)\"\r\nContent-Type: application/json\r\n\r\n\(value)\r\n"), text)
        }
        for (name, value) in [("t", "{}"), ("n", "{")] {
            XCTAssertTrue(text.contains("name=\"\(name)\"\r\n\r\n\(value)\r\n"), text)
        }
    }

    func testFilesAndBytes() async throws {
        let form = MultipartForm([.data(Data("JPEG".utf8), named: "photo", fileName: "a.jpg")], boundary: "b")
        let multipart = try encode(
            .placed(["caption": .field], multipart: form), ["caption": "c", "page": 1])
        XCTAssertEqual(multipart.url.query, "v=1&page=1")
        let text = try XCTUnwrap(multipart.body.text)
        XCTAssertTrue(text.contains("name=\"caption\"\r\n\r\nc\r\n"), text)
        XCTAssertTrue(text.contains("filename=\"a.jpg\""), text)
        XCTAssertEqual(multipart.notes.bodyParams, ["caption": "c", "photo": nil] as [String: JSONValue])
        let raw = try encode(
            .placed(["page": .query], body: .data(Data("PNG".utf8)), contentType: "image/png"), ["page": 1])
        XCTAssertEqual(raw.body.text, "PNG")
        XCTAssertEqual(raw.headers["Content-Type"], "image/png")
        XCTAssertTrue(try encode(.placed([:], body: .none, contentType: "image/png"), [:]).body.isNone)
    }

    func testTwoBodiesAreRefused() {
        XCTAssertThrowsError(try encode(.placed(["a": .json, "b": .json]), ["a": 1, "b": 2]))
        XCTAssertThrowsError(try encode(.placed(["a": .json, "b": .field]), ["a": 1, "b": 2]))
        XCTAssertThrowsError(
            try encode(.placed(["b": .field], body: .data(Data([1])), contentType: "image/png"), ["b": 2]))
    }
}
