import DiscreteNetworking
import Foundation

/// What the HAR 1.2 specification requires of each object, by name and type.
enum HARSchema {
    indirect enum Shape: Sendable {
        case text, number, natural, time, url, bool
        case list(Shape)
        case object(required: [String: Shape], optional: [String: Shape] = [:])
    }

    static func problems(of archive: JSONValue) -> [String] { problems(of: archive, root, at: "") }

    private static func problems(of value: JSONValue, _ shape: Shape, at path: String) -> [String] {
        switch shape {
        case .text: return value.string == nil ? ["\(path): no text"] : []
        case .bool: return value.bool == nil ? ["\(path): no Boolean"] : []
        case .number: return value.double.map { $0 >= -1 } == true ? [] : ["\(path): no number from -1 on"]
        case .natural: return value.double.map { $0 >= 0 } == true ? [] : ["\(path): no number from 0 on"]
        case .url:
            let isURL = value.string.flatMap(URL.init(string:))?.scheme?.hasPrefix("http") == true
            return isURL ? [] : ["\(path): no absolute URL: \(value)"]
        case .time:
            let pattern = #"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$"#
            let isTime = value.string?.range(of: pattern, options: .regularExpression) != nil
            return isTime ? [] : ["\(path): no ISO 8601 time: \(value)"]
        case .list(let element):
            guard let elements = value.array else { return ["\(path): no array"] }
            return elements.enumerated().flatMap { problems(of: $1, element, at: "\(path)[\($0)]") }
        case .object(let required, let optional):
            guard let members = value.object else { return ["\(path): no object"] }
            let missing = required.keys.filter { members[$0] == nil }.map { "\(path).\($0): missing" }
            let wrong = members.flatMap { name, value -> [String] in
                if name.hasPrefix("_") { return [] }
                guard let shape = required[name] ?? optional[name] else {
                    return ["\(path).\(name): not in the specification"]
                }
                return problems(of: value, shape, at: "\(path).\(name)")
            }
            return missing + wrong
        }
    }

    private static let root = Shape.object(required: [
        "log": .object(
            required: ["version": .text, "creator": creator, "entries": .list(entry)],
            optional: ["browser": creator, "pages": .list(page), "comment": .text])
    ])
    private static let creator = Shape.object(
        required: ["name": .text, "version": .text], optional: ["comment": .text])
    private static let page = Shape.object(
        required: [
            "startedDateTime": .time, "id": .text, "title": .text,
            "pageTimings": .object(
                required: [:], optional: ["onContentLoad": .number, "onLoad": .number, "comment": .text]),
        ], optional: ["comment": .text])
    private static let entry = Shape.object(
        required: [
            "startedDateTime": .time, "time": .natural, "request": request, "response": response,
            "cache": .object(required: [:]), "timings": timings,
        ], optional: ["pageref": .text, "serverIPAddress": .text, "connection": .text, "comment": .text])
    private static let pair = Shape.object(
        required: ["name": .text, "value": .text], optional: ["comment": .text])
    private static let cookie = Shape.object(
        required: ["name": .text, "value": .text],
        optional: [
            "path": .text, "domain": .text, "expires": .time, "httpOnly": .bool, "secure": .bool,
            "comment": .text,
        ])
    private static let request = Shape.object(
        required: [
            "method": .text, "url": .url, "httpVersion": .text, "cookies": .list(cookie),
            "headers": .list(pair), "queryString": .list(pair), "headersSize": .number, "bodySize": .number,
        ],
        optional: [
            "postData": .object(
                required: ["mimeType": .text],
                optional: ["text": .text, "params": .list(pair), "comment": .text]),
            "comment": .text,
        ])
    private static let response = Shape.object(
        required: [
            "status": .natural, "statusText": .text, "httpVersion": .text, "cookies": .list(cookie),
            "headers": .list(pair),
            "content": .object(
                required: ["size": .natural, "mimeType": .text],
                optional: ["compression": .number, "text": .text, "encoding": .text, "comment": .text]),
            "redirectURL": .text, "headersSize": .number, "bodySize": .number,
        ], optional: ["comment": .text])
    private static let timings = Shape.object(
        required: ["send": .natural, "wait": .natural, "receive": .natural],
        optional: [
            "blocked": .number, "dns": .number, "connect": .number, "ssl": .number, "comment": .text,
        ])
}
