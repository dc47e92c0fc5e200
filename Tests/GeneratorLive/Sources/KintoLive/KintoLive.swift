import DiscreteNetworking
import Foundation
import KintoAPI
import Live

/// Calls a Kinto server that has no data.
@main
struct KintoLive {
    static func main() async {
        await Live.main { server in
            let service = KintoService(server: server.appendingPathComponent("v1"))
            ServiceFactory.shared.register([.kinto: { service }])
            try await about()
            try await accounts(service)
            try await buckets()
            try await collections()
            try await groups()
            try await records()
            try await pages()
            try await versions()
            try await batch()
            try await history()
            try await deletions()
        }
    }

    @MainActor private static func about() async throws {
        // The path is called without its slash, and the server redirects past the proxy.
        try await Live.call { try await ServerInfoManager().load() }
        try await Live.show("__heartbeat__") { try await HeartbeatManager().load() }
        try await Live.show("__lbheartbeat__") { try await LbheartbeatManager().load() }
        try await Live.show("__version__") { try await VersionManager().load() }
        try await Live.show("contribute.json") { try await ContributeManager().load() }
        try await Live.show("__api__") { try await GetOpenapiSpecManager().load() }
    }

    /// Without a credential, the server refuses what only users may do.
    @MainActor private static func accounts(_ service: KintoService) async throws {
        let refused = try await Live.refused(.http(status: 401)) {
            try await GetBucketsManager().load(with: .init())
        }
        guard case .status401(let failure) = GetBucketsManager.failure(in: refused), failure.errno == 104
        else {
            throw refused
        }
        for (name, text) in [("alice", "密码 🙂"), ("bob", "p\\\"w:é")] {
            // An operation with optional security is called without a credential here: nobody is logged in.
            try await Live.call {
                try await CreateAccountManager().load(
                    with: .init(
                        body: .init(
                            data: .init(
                                password: text, additionalProperties: ["id": .string(name), "茶": [1, nil]]))))
            }
        }
        service.credentials.withLock { $0.basicauth = .basic(user: "bob", password: "p\\\"w:é") }
        try await Live.show("bob") { try await GetAccountManager().load(with: .init(id: "bob")) }
        service.credentials.withLock { $0.basicauth = .basic(user: "alice", password: "密码 🙂") }
        try await Live.show("accounts") { try await GetAccountsManager().load(with: .init()) }
        try await Live.show("alice") { try await GetAccountManager().load(with: .init(id: "alice")) }
        try await Live.show(
            "change alice", sends: #"{"data":{"password":"密码 🙂","age":3}}"#
        ) {
            try await UpdateAccountManager().load(
                with: .init(
                    id: "alice", body: .init(data: .init(password: "密码 🙂", additionalProperties: ["age": 3])))
            )
        }
        for behavior in [nil, .full, .light, .diff] as [PatchAccountManager.Arguments.ResponseBehavior?] {
            let name = behavior?.rawValue ?? ""
            try await Live.show(
                "patch alice \(name)", sends: #"{"data":{"nick":null,"age":4.5,"last":"\#(name)"}}"#
            ) {
                try await PatchAccountManager().load(
                    with: .init(
                        id: "alice", body: .init(data: ["nick": nil, "age": 4.5, "last": .string(name)]),
                        responseBehavior: behavior))
            }
        }
        try await Live.expect {
            try await GetBucketsManager().load(with: .init()).data == []
        }
    }

    @MainActor private static func buckets() async throws {
        try await Live.show(
            "post bucket",
            sends:
                #"{"data":{"id":"shop","note":"茶","record:schema":{"type":"object"}},"permissions":{"read":["system.Everyone"],"collection:create":["account:bob"]}}"#
        ) {
            try await CreateBucketManager().load(
                with: .init(
                    body: .init(
                        data: .init(
                            recordSchema: ["type": "object"],
                            additionalProperties: ["id": "shop", "note": "茶"]),
                        permissions: .init(collectionCreate: ["account:bob"], read: ["system.Everyone"]))))
        }
        try await Live.show("post bucket again", sends: #"{"data":{"id":"shop"}}"#) {
            try await CreateBucketManager().load(
                with: .init(body: .init(data: .init(additionalProperties: ["id": "shop"]))))
        }
        try await Live.show("put bucket", sends: "{}") {
            try await UpdateBucketManager().load(with: .init(id: "blog", body: .init()))
        }
        try await Live.show("put bucket that exists", sends: #"{"data":{"n":9007199254740993}}"#) {
            try await UpdateBucketManager().load(
                with: .init(
                    id: "blog", body: .init(data: .init(additionalProperties: ["n": 9_007_199_254_740_993]))))
        }
        try await Live.show("patch bucket", sends: #"{"data":{"n":null,"e":1e-7}}"#) {
            try await PatchBucketManager().load(
                with: .init(id: "blog", body: .init(data: ["n": nil, "e": 1e-7])))
        }
        try await Live.show("bucket") { try await GetBucketManager().load(with: .init(id: "blog")) }
        try await Live.show("bucket fields") {
            try await GetBucketManager().load(with: .init(id: "shop", fields: ["id", "note"]))
        }
        try await Live.show("buckets") {
            try await GetBucketsManager().load(with: .init(limit: 5, sort: ["-id", "last_modified"]))
        }
    }

    @MainActor private static func collections() async throws {
        let schema: [String: JSONValue] = ["type": "object", "properties": ["title": ["type": "string"]]]
        try await Live.show(
            "post collection",
            sends:
                #"{"data":{"id":"poems","cache_expires":60,"schema":{"type":"object","properties":{"title":{"type":"string"}}}}}"#
        ) {
            try await CreateCollectionManager().load(
                with: .init(
                    bucketID: "shop",
                    body: .init(
                        data: .init(cacheExpires: 60, schema: schema, additionalProperties: ["id": "poems"])))
            )
        }
        try await Live.show(
            "put collection", sends: #"{"permissions":{"record:create":["system.Authenticated"]}}"#
        ) {
            try await UpdateCollectionManager().load(
                with: .init(
                    bucketID: "shop", id: "notes",
                    body: .init(permissions: .init(recordCreate: ["system.Authenticated"]))))
        }
        try await Live.show("patch collection", sends: #"{"data":{"sort":"-title"}}"#) {
            try await PatchCollectionManager().load(
                with: .init(bucketID: "shop", id: "notes", body: .init(data: ["sort": "-title"])))
        }
        try await Live.show("collection") {
            try await GetCollectionManager().load(with: .init(bucketID: "shop", id: "poems"))
        }
        try await Live.show("collections") {
            try await GetCollectionsManager().load(with: .init(bucketID: "shop", sort: ["id"]))
        }
    }

    @MainActor private static func groups() async throws {
        try await Live.show(
            "post group", sends: #"{"data":{"id":"poets","members":["account:bob"],"茶":true}}"#
        ) {
            try await CreateGroupManager().load(
                with: .init(
                    bucketID: "shop",
                    body: .init(
                        data: .init(
                            members: ["account:bob"], additionalProperties: ["id": "poets", "茶": true]))))
        }
        try await Live.show(
            "put group", sends: #"{"data":{"members":[]},"permissions":{"write":["account:bob"]}}"#
        ) {
            try await UpdateGroupManager().load(
                with: .init(
                    bucketID: "shop", id: "editors",
                    body: .init(data: .init(members: []), permissions: .init(write: ["account:bob"]))))
        }
        try await Live.show("patch group", sends: #"{"data":{"members":["account:alice","account:bob"]}}"#) {
            try await PatchGroupManager().load(
                with: .init(
                    bucketID: "shop", id: "editors",
                    body: .init(data: ["members": ["account:alice", "account:bob"]])))
        }
        try await Live.show("group") {
            try await GetGroupManager().load(with: .init(bucketID: "shop", id: "editors"))
        }
        try await Live.show("groups") {
            try await GetGroupsManager().load(with: .init(bucketID: "shop", sort: ["id"]))
        }
    }
}
