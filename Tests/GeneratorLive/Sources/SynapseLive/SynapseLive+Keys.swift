import DiscreteNetworking
import Foundation
import Live
import SynapseAPI

/// The directory, keys of devices and of backups, media, and memberships.
extension SynapseLive {
    @MainActor static func directory(_ alice: Account, room: String) async throws {
        act(as: alice)
        try await Live.show("set alias", sends: ##"{"room_id":"\##(room)"}"##) {
            try await SetRoomAliasManager().load(
                with: .init(roomAlias: "#second:localhost", body: .init(roomID: room)))
        }
        try await Live.show("room by alias") {
            try await GetRoomIDByAliasManager().load(with: .init(roomAlias: "#tea/茶:localhost"))
        }
        try await Live.show("aliases") { try await GetLocalAliasesManager().load(with: .init(roomID: room)) }
        try await Live.show("delete alias") {
            try await DeleteRoomAliasManager().load(with: .init(roomAlias: "#second:localhost"))
        }
        try await Live.show("set visibility", sends: #"{"visibility":"public"}"#) {
            try await SetRoomVisibilityOnDirectoryManager().load(
                with: .init(roomID: room, body: .init(visibility: .public)))
        }
        try await Live.show("visibility") {
            try await GetRoomVisibilityOnDirectoryManager().load(with: .init(roomID: room))
        }
        try await Live.show(
            "public rooms", sends: #"{"filter":{"generic_search_term":"茶","room_types":[null]},"limit":5}"#
        ) {
            try await QueryPublicRoomsManager().load(
                with: .init(
                    body: .init(filter: .init(genericSearchTerm: "茶", roomTypes: [nil]), limit: 5)))
        }
        try await Live.show("hierarchy") {
            try await GetSpaceHierarchyManager().load(with: .init(roomID: room))
        }
        try await Live.show("protocols") { try await GetProtocolsManager().load() }
    }

    @MainActor static func keys(_ alice: Account, _ bob: Account) async throws {
        act(as: alice)
        let signature = "\"signatures\":{\"\(alice.id)\":{\"ed25519:TABLET\":\"s/+\"}}"
        let signatures = [alice.id: ["ed25519:TABLET": "s/+"]]
        try await Live.show(
            "upload keys",
            sends:
                #"{"device_keys":{"user_id":"\#(alice.id)","device_id":"TABLET","algorithms":["m.olm.v1.curve25519-aes-sha2"],"keys":{"ed25519:TABLET":"k"},\#(signature)},"one_time_keys":{"signed_curve25519:A":{"key":"z+",\#(signature)}},"fallback_keys":{"signed_curve25519:B":{"key":"f",\#(signature)}}}"#
        ) {
            let signed = signatures.mapValues { $0.mapValues(JSONValue.string) }
            return try await UploadKeysManager().load(
                with: .init(
                    body: .init(
                        deviceKeys: .init(
                            algorithms: ["m.olm.v1.curve25519-aes-sha2"], deviceID: "TABLET",
                            keys: ["ed25519:TABLET": "k"], signatures: signatures, userID: alice.id),
                        fallbackKeys: [
                            "signed_curve25519:B": .keyObject(.init(key: "f", signatures: signed))
                        ],
                        oneTimeKeys: ["signed_curve25519:A": .keyObject(.init(key: "z+", signatures: signed))]
                    )))
        }
        act(as: bob)
        try await Live.show("query keys", sends: #"{"device_keys":{"\#(alice.id)":[]},"timeout":1000}"#) {
            try await QueryKeysManager().load(
                with: .init(body: .init(deviceKeys: [alice.id: []], timeout: 1000)))
        }
        try await Live.show(
            "claim keys", sends: #"{"one_time_keys":{"\#(alice.id)":{"TABLET":"signed_curve25519"}}}"#
        ) {
            try await ClaimKeysManager().load(
                with: .init(body: .init(oneTimeKeys: [alice.id: ["TABLET": "signed_curve25519"]])))
        }
        try await backup(alice)
    }

    @MainActor private static func backup(_ alice: Account) async throws {
        act(as: alice)
        let auth = #"{"public_key":"abc","signatures":{"x":{"y":null}}}"#
        let version = try await Live.show(
            "create backup",
            sends: #"{"algorithm":"m.megolm_backup.v1.curve25519-aes-sha2","auth_data":\#(auth)}"#
        ) {
            try await PostRoomKeysVersionManager().load(
                with: .init(body: .init(authData: try JSONValue(parsing: auth).object ?? [:])))
        }.version
        try await Live.show("backup") { try await GetRoomKeysVersionCurrentManager().load() }
        try await Live.show("backup version") {
            try await GetRoomKeysVersionManager().load(with: .init(version: version))
        }
        let text =
            #"{"first_message_index":1,"forwarded_count":0,"is_verified":false,"session_data":{"ciphertext":"密","mac":null}}"#
        let data = KeyBackupData(
            firstMessageIndex: 1, forwardedCount: 0, isVerified: false,
            sessionData: ["ciphertext": "密", "mac": nil])
        try await Live.show("put key", sends: text) {
            try await PutRoomKeyBySessionIDManager().load(
                with: .init(version: version, roomID: "!a/b:localhost", sessionID: "s/+=", body: data))
        }
        try await Live.show("put keys", sends: #"{"rooms":{"!c:localhost":{"sessions":{"t":\#(text)}}}}"#) {
            try await PutRoomKeysManager().load(
                with: .init(
                    version: version, body: .init(rooms: ["!c:localhost": .init(sessions: ["t": data])])))
        }
        try await Live.show("key") {
            try await GetRoomKeyBySessionIDManager().load(
                with: .init(version: version, roomID: "!a/b:localhost", sessionID: "s/+="))
        }
        try await Live.show("keys of a room") {
            try await GetRoomKeysByRoomIDManager().load(with: .init(version: version, roomID: "!c:localhost"))
        }
        try await Live.show("keys") { try await GetRoomKeysManager().load(with: .init(version: version)) }
        try await Live.show("delete keys of a room") {
            try await DeleteRoomKeysByRoomIDManager().load(
                with: .init(version: version, roomID: "!c:localhost"))
        }
        try await Live.show("delete keys") {
            try await DeleteRoomKeysManager().load(with: .init(version: version))
        }
        try await Live.show("delete backup") {
            try await DeleteRoomKeysVersionManager().load(with: .init(version: version))
        }
    }

    @MainActor static func media() async throws {
        let bytes = Data((0..<1000).map { UInt8($0 % 251) })
        let uri = try await Live.show("upload") {
            try await UploadContentManager(body: .data(bytes)).load(with: .init(filename: "茶 1.bin"))
        }.contentURI
        let media = uri.split(separator: "/").last.map(String.init) ?? ""
        try await Live.expect {
            let file = try await GetContentAuthedManager().load(
                with: .init(serverName: "localhost", mediaID: media))
            return try Data(contentsOf: file.url) == bytes
        }
        try await Live.expect {
            let file = try await GetContentOverrideNameAuthedManager().load(
                with: .init(serverName: "localhost", mediaID: media, fileName: "茶/2.bin"))
            return try Data(contentsOf: file.url) == bytes
        }
        let created = try await Live.show("create media") { try await CreateContentManager().load() }
        let id = created.contentURI.split(separator: "/").last.map(String.init) ?? ""
        try await Live.show("upload to it") {
            try await UploadContentToMXCManager(body: .data(bytes)).load(
                with: .init(serverName: "localhost", mediaID: id))
        }
        try await Live.show("media config") { try await GetConfigAuthedManager().load() }
    }

    @MainActor static func membership(_ alice: Account, _ bob: Account, room: String) async throws {
        act(as: alice)
        try await Live.show("kick", sends: #"{"user_id":"\#(bob.id)"}"#) {
            try await KickManager().load(with: .init(roomID: room, body: .init(userID: bob.id)))
        }
        try await Live.show("ban", sends: #"{"user_id":"\#(bob.id)","reason":""}"#) {
            try await BanManager().load(with: .init(roomID: room, body: .init(userID: bob.id, reason: "")))
        }
        try await Live.show("unban", sends: #"{"user_id":"\#(bob.id)"}"#) {
            try await UnbanManager().load(with: .init(roomID: room, body: .init(userID: bob.id)))
        }
        act(as: bob)
        try await Live.refused(.http(status: 403)) {
            try await GetRoomStateManager().load(with: .init(roomID: "!none:localhost"))
        }
        try await Live.show("sync of one who left") { try await SyncManager().load(with: .init(timeout: 0)) }
        try await Live.show("forget") { try await ForgetRoomManager().load(with: .init(roomID: room)) }
        act(as: alice)
        try await Live.show("leave", sends: #"{"reason":"再见"}"#) {
            try await LeaveRoomManager().load(with: .init(roomID: room, body: .init(reason: "再见")))
        }
    }
}
