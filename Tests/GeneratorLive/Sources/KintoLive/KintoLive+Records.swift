import DiscreteNetworking
import Foundation
import KintoAPI
import Live

/// Records of any JSON, their lists page by page, and what depends on their versions.
extension KintoLive {
    /// A record with values of all kinds, and its JSON.
    private static let deep: (value: [String: JSONValue], text: String) = (
        [
            "title": "春眠不觉晓 🙂 \u{2028} \"q\"", "n": nil, "big": 9_007_199_254_740_993, "f": 1.5, "e": 1e-7,
            "deep": ["a": [1, 2.5, nil, ["z": [], "": false]]],
        ],
        #"{"data":{"title":"春眠不觉晓 🙂 \u2028 \"q\"","n":null,"big":9007199254740993,"f":1.5,"e":1e-7,"deep":{"a":[1,2.5,null,{"z":[],"":false}]}}}"#
    )

    @MainActor static func records() async throws {
        try await Live.show("post record", sends: deep.text) {
            try await CreateRecordManager().load(
                with: .init(bucketID: "shop", collectionID: "poems", body: .init(data: deep.value)))
        }
        let read: [String: JSONValue]? = try await Live.show("put record", sends: deep.text) {
            try await UpdateRecordManager().load(
                with: .init(bucketID: "shop", collectionID: "poems", id: "one", body: .init(data: deep.value))
            )
        }.data
        try await Live.expect {
            deep.value.allSatisfy { read?[$0.key] == $0.value }
        }
        try await Live.show("record") {
            try await GetRecordManager().load(with: .init(bucketID: "shop", collectionID: "poems", id: "one"))
        }
        try await Live.show("record fields") {
            try await GetRecordManager().load(
                with: .init(bucketID: "shop", collectionID: "poems", id: "one", fields: ["deep.a", "title"]))
        }
        let body = PatchRecordBody(
            data: ["n": 1, "deep": ["b": true]], permissions: .init(read: ["account:bob"]))
        try await Live.show(
            "patch record",
            sends: #"{"data":{"n":1,"deep":{"b":true}},"permissions":{"read":["account:bob"]}}"#
        ) {
            try await PatchRecordManager().load(
                with: .init(bucketID: "shop", collectionID: "poems", id: "one", body: body))
        }
        try await Live.show("merge patch", sends: #"{"data":{"n":null,"deep":{"b":null,"c":[null]}}}"#) {
            try await MergePatch().load(
                with: .init(
                    bucketID: "shop", collectionID: "poems", id: "one",
                    body: .init(data: ["n": nil, "deep": ["b": nil, "c": [nil]]])))
        }
        let patch = #"[{"op":"add","path":"/data/list","value":[1,null]},{"op":"remove","path":"/data/f"}]"#
        try await Live.show("JSON patch", sends: patch) {
            let body = try JSONValue(parsing: patch)
            return try await JSONPatch().load(with: [
                "bucket_id": "shop", "collection_id": "poems", "id": "one", "body": body,
            ])
        }
        let refused = try await Live.refused(.http(status: 400)) {
            try await CreateRecordManager().load(
                with: .init(bucketID: "shop", collectionID: "poems", body: .init(data: ["title": 5])))
        }
        try await Live.expect {
            guard case .status400(let failure) = CreateRecordManager.failure(in: refused) else {
                return false
            }
            return failure.details?.array?.first?["name"] == "title" && failure.errno == 107
        }
    }

    /// The token of the next page is in a URL in a header.
    @MainActor static func pages() async throws {
        for index in 0..<5 {
            let text = #"{"data":{"title":"\#(index)","index":\#(index)}}"#
            try await Live.show("note \(index)", sends: text) {
                try await UpdateRecordManager().load(
                    with: .init(
                        bucketID: "shop", collectionID: "notes", id: "note-\(index)",
                        body: .init(data: ["title": .string("\(index)"), "index": .number(JSONNumber(index))])
                    ))
            }
        }
        var token: String?
        var titles: [String] = []
        repeat {
            let manager = GetRecordsManager()
            let page = try await Live.show("notes from \(titles.count)") {
                try await manager.load(
                    with: .init(
                        bucketID: "shop", collectionID: "notes", limit: 2, sort: ["-title"], token: token,
                        fields: ["title"]))
            }
            titles += (page.data ?? []).compactMap { $0["title"]?.string }
            let next = manager.response?.headers["Next-Page"].flatMap(URLComponents.init(string:))
            token = next?.queryItems?.first { $0.name == "_token" }?.value
        } while token != nil
        try await Live.expect { titles == ["4", "3", "2", "1", "0"] }
        try await Live.show("by id") {
            try await GetRecordsManager().load(
                with: .init(bucketID: "shop", collectionID: "notes", id: "note-3"))
        }
    }

    /// ETags (RFC 9110, section 13).
    @MainActor static func versions() async throws {
        let manager = GetRecordManager()
        let record = try await Live.show("versioned") {
            try await manager.load(with: .init(bucketID: "shop", collectionID: "notes", id: "note-0"))
        }
        let tag = manager.response?.headers["ETag"]
        let modified = record.data?["last_modified"]?.int ?? 0
        try await Live.expect { tag == "\"\(modified)\"" }
        try await Live.show("if match", sends: #"{"data":{"seen":true}}"#) {
            try await PatchRecordManager().load(
                with: .init(
                    bucketID: "shop", collectionID: "notes", id: "note-0", body: .init(data: ["seen": true]),
                    ifMatch: tag))
        }
        let late = try await Live.refused(.http(status: 412)) {
            try await PatchRecordManager().load(
                with: .init(
                    bucketID: "shop", collectionID: "notes", id: "note-0", body: .init(data: ["seen": false]),
                    ifMatch: tag))
        }
        try await Live.expect {
            guard case .status412(let failure) = PatchRecordManager.failure(in: late) else { return false }
            return failure.details?["existing"]?["seen"] == true
        }
        try await Live.refused(.http(status: 304)) {
            let current = GetRecordManager()
            _ = try await current.load(with: .init(bucketID: "shop", collectionID: "notes", id: "note-1"))
            return try await GetRecordManager().load(
                with: .init(
                    bucketID: "shop", collectionID: "notes", id: "note-1",
                    ifNoneMatch: current.response?.headers["ETag"]))
        }
        try await Live.show("since") {
            try await GetRecordsManager().load(
                with: .init(bucketID: "shop", collectionID: "notes", since: modified))
        }
        try await Live.show("before") {
            try await GetRecordsManager().load(
                with: .init(bucketID: "shop", collectionID: "notes", before: modified))
        }
    }
}

/// As the server takes it, beside plain JSON: RFC 7396.
private final class MergePatch: PatchRecordManager {
    override var encoding: (any ParamEncoding)? {
        .placed(["body": .json(contentType: "application/merge-patch+json")])
    }
}

/// RFC 6902, which is not described.
private final class JSONPatch: PatchRecordManager {
    override var encoding: (any ParamEncoding)? {
        .placed(["body": .json(contentType: "application/json-patch+json")])
    }
}
