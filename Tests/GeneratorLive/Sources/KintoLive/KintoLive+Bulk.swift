import DiscreteNetworking
import Foundation
import KintoAPI
import Live

/// Several requests in one, the history of a bucket, and deletions.
extension KintoLive {
    @MainActor static func batch() async throws {
        let path = "/buckets/shop/collections/notes/records"
        let batch = try await Live.show(
            "batch",
            sends:
                #"{"defaults":{"method":"POST","path":"/buckets/shop/collections/notes/records","headers":{"X-A":"1"}},"requests":[{"path":"/buckets/shop/collections/notes/records","body":{"data":{"title":"茶","n":null}}},{"path":"/v1/buckets/shop","method":"GET"},{"path":"/nowhere","method":"GET"}]}"#
        ) {
            try await BatchManager().load(
                with: .init(
                    body: .init(
                        requests: [
                            .init(path: path, body: ["data": ["title": "茶", "n": nil]]),
                            .init(path: "/v1/buckets/shop", method: .get),
                            .init(path: "/nowhere", method: .get),
                        ], defaults: .init(headers: ["X-A": "1"], method: .post, path: path))))
        }
        try await Live.expect { batch.responses.map(\.status) == [401, 200, 404] }
        try await Live.refused(.http(status: 400)) {
            try await BatchManager().load(with: .init(body: .init(requests: [.init(path: "none")])))
        }
    }

    @MainActor static func history() async throws {
        let history = try await Live.show("history") {
            try await GetHistoryManager().load(with: .init(bucketID: "shop", limit: 50))
        }
        try await Live.expect { history.data?.isEmpty == false }
        try await Live.show("permissions") { try await GetPermissionssManager().load(with: .init()) }
        let notes = try await Live.call {
            try await GetRecordsManager().load(with: .init(bucketID: "shop", collectionID: "notes"))
        }
        let last = notes.data?.compactMap { $0["last_modified"]?.int }.max() ?? 0
        try await Live.show("snapshot") {
            try await GetHistorySnapshotManager().load(
                with: .init(bucketID: "shop", collectionID: "notes", timestamp: last))
        }
    }

    @MainActor static func deletions() async throws {
        try await Live.show("delete record") {
            try await DeleteRecordManager().load(
                with: .init(bucketID: "shop", collectionID: "notes", id: "note-0"))
        }
        let gone = try await Live.refused(.http(status: 404)) {
            try await GetRecordManager().load(
                with: .init(bucketID: "shop", collectionID: "notes", id: "note-0"))
        }
        try await Live.expect {
            guard case .status404(let failure) = GetRecordManager.failure(in: gone) else { return false }
            return failure.details?["resource_name"] == "record"
        }
        try await Live.show("delete records") {
            try await DeleteRecordsManager().load(
                with: .init(bucketID: "shop", collectionID: "notes", limit: 2, sort: ["title"]))
        }
        try await Live.show("deleted ones") {
            try await GetRecordsManager().load(with: .init(bucketID: "shop", collectionID: "notes", since: 0))
        }
        try await Live.show("delete group") {
            try await DeleteGroupManager().load(with: .init(bucketID: "shop", id: "poets"))
        }
        try await Live.show("delete groups") {
            try await DeleteGroupsManager().load(with: .init(bucketID: "shop"))
        }
        try await Live.show("delete collection") {
            try await DeleteCollectionManager().load(with: .init(bucketID: "shop", id: "poems"))
        }
        try await Live.show("delete collections") {
            try await DeleteCollectionsManager().load(with: .init(bucketID: "shop"))
        }
        try await Live.show("delete history") {
            try await DeleteHistoryManager().load(with: .init(bucketID: "shop"))
        }
        try await Live.show("delete bucket") { try await DeleteBucketManager().load(with: .init(id: "blog")) }
        try await Live.show("delete buckets") { try await DeleteBucketsManager().load(with: .init()) }
        try await Live.refused(.http(status: 403)) {
            try await DeleteUserDataManager().load(with: .init(principal: "account:alice"))
        }
        try await Live.show("delete account") {
            try await DeleteAccountManager().load(with: .init(id: "alice"))
        }
        try await Live.show("flush") { try await CreateFlushManager().load() }
    }
}
