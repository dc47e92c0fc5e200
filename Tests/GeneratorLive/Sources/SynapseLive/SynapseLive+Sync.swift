import DiscreteNetworking
import Foundation
import Live
import SynapseAPI

/// What a client hears of others, and what a user keeps at the server.
extension SynapseLive {
    @MainActor static func syncs(_ alice: Account, _ bob: Account, room: String) async throws {
        act(as: alice)
        let filter = try await Live.show(
            "filter",
            sends:
                #"{"event_fields":["type","content","sender"],"room":{"timeline":{"limit":3,"not_types":["m.x"]},"include_leave":true},"presence":{"not_types":["*"]}}"#
        ) {
            try await DefineFilterManager().load(
                with: .init(
                    userID: alice.id,
                    body: .init(
                        eventFields: ["type", "content", "sender"], presence: .init(notTypes: ["*"]),
                        room: .init(includeLeave: true, timeline: .init(limit: 3, notTypes: ["m.x"])))))
        }.filterID
        try await Live.show("filter again") {
            try await GetFilterManager().load(with: .init(userID: alice.id, filterID: filter))
        }
        try await Live.show("sync") { try await SyncManager().load(with: .init(fullState: true, timeout: 0)) }
        let since = try await Live.show("second sync") {
            try await SyncManager().load(with: .init(setPresence: .offline, timeout: 0))
        }.nextBatch
        act(as: bob)
        try await Live.show("typing", sends: #"{"typing":true,"timeout":30000}"#) {
            try await SetTypingManager().load(
                with: .init(userID: bob.id, roomID: room, body: .init(typing: true, timeout: 30_000)))
        }
        let sent = try await Live.show("send to be read", sends: #"{"msgtype":"m.emote","body":"!"}"#) {
            try await SendMessageManager().load(
                with: .init(
                    roomID: room, eventType: "m.room.message", txnID: "read",
                    body: ["msgtype": "m.emote", "body": "!"]))
        }
        try await Live.show("send to device", sends: #"{"messages":{"\#(alice.id)":{"*":{"茶":[null]}}}}"#) {
            try await SendToDeviceManager().load(
                with: .init(
                    eventType: "org.example.hello", txnID: "d1",
                    body: .init(messages: [alice.id: ["*": ["茶": [nil]]]])))
        }
        act(as: alice)
        try await Live.show("receipt", sends: #"{"thread_id":"main"}"#) {
            try await PostReceiptManager().load(
                with: .init(
                    roomID: room, receiptType: .mRead, eventID: sent.eventID, body: .init(threadID: "main")))
        }
        try await Live.show("read marker", sends: #"{"m.fully_read":"\#(sent.eventID)"}"#) {
            try await SetReadMarkerManager().load(
                with: .init(roomID: room, body: .init(mFullyRead: sent.eventID)))
        }
        try await Live.show("sync since") {
            try await SyncManager().load(with: .init(since: since, timeout: 0))
        }
        try await Live.show("state after") {
            try await SyncManager().load(with: .init(since: since, timeout: 0, useStateAfter: true))
        }
        act(as: bob)
        try await Live.show("sync of bob") { try await SyncManager().load(with: .init(timeout: 0)) }
        try await Live.show("notifications") {
            try await GetNotificationsManager().load(with: .init(limit: 5))
        }
    }

    @MainActor static func accountData(_ alice: Account, room: String) async throws {
        act(as: alice)
        let text = #"{"n":null,"deep":{"茶":[1,{"z":false}]}}"#
        let data = try JSONValue(parsing: text).object ?? [:]
        try await Live.show("set account data", sends: text) {
            try await SetAccountDataManager().load(
                with: .init(userID: alice.id, type: "org.example/a", body: data))
        }
        try await Live.show("account data") {
            try await GetAccountDataManager().load(with: .init(userID: alice.id, type: "org.example/a"))
        }
        try await Live.show("set room data", sends: text) {
            try await SetAccountDataPerRoomManager().load(
                with: .init(userID: alice.id, roomID: room, type: "org.example", body: data))
        }
        try await Live.show("room data") {
            try await GetAccountDataPerRoomManager().load(
                with: .init(userID: alice.id, roomID: room, type: "org.example"))
        }
        for (tag, order, text) in [("u.茶", 0.25, #"{"order":0.25}"#), ("m.favourite", nil, "{}")] {
            try await Live.show("set tag \(order ?? 1)", sends: text) {
                try await SetRoomTagManager().load(
                    with: .init(userID: alice.id, roomID: room, tag: tag, body: .init(order: order)))
            }
        }
        try await Live.show("tags") {
            try await GetRoomTagsManager().load(with: .init(userID: alice.id, roomID: room))
        }
        try await Live.show("delete tag") {
            try await DeleteRoomTagManager().load(
                with: .init(userID: alice.id, roomID: room, tag: "m.favourite"))
        }
    }

    @MainActor static func pushRules(_ alice: Account) async throws {
        act(as: alice)
        try await Live.show("push rules") { try await GetPushRulesManager().load() }
        try await Live.show("global push rules") { try await GetPushRulesGlobalManager().load() }
        try await Live.show(
            "set push rule",
            sends:
                #"{"actions":["notify",{"set_tweak":"sound","value":"default"}],"conditions":[{"kind":"event_match","key":"content.body","pattern":"茶*"},{"kind":"event_property_is","key":"content.n","value":3}]}"#
        ) {
            try await SetPushRuleManager().load(
                with: .init(
                    kind: .override, ruleID: "tea",
                    body: .init(
                        actions: [
                            .string("notify"), .jsonDictionary(["set_tweak": "sound", "value": "default"]),
                        ],
                        conditions: [
                            .init(kind: "event_match", key: "content.body", pattern: "茶*"),
                            .init(kind: "event_property_is", key: "content.n", value: .integer(3)),
                        ])))
        }
        try await Live.show("push rule") {
            try await GetPushRuleManager().load(with: .init(kind: .override, ruleID: "tea"))
        }
        try await Live.show("disable", sends: #"{"enabled":false}"#) {
            try await SetPushRuleEnabledManager().load(
                with: .init(kind: .override, ruleID: "tea", body: .init(enabled: false)))
        }
        try await Live.show("is enabled") {
            try await IsPushRuleEnabledManager().load(with: .init(kind: .override, ruleID: "tea"))
        }
        try await Live.show("set actions", sends: #"{"actions":[]}"#) {
            try await SetPushRuleActionsManager().load(
                with: .init(kind: .override, ruleID: "tea", body: .init(actions: [])))
        }
        try await Live.show("actions") {
            try await GetPushRuleActionsManager().load(with: .init(kind: .override, ruleID: "tea"))
        }
        try await Live.show("delete push rule") {
            try await DeletePushRuleManager().load(with: .init(kind: .override, ruleID: "tea"))
        }
        try await Live.show(
            "pusher",
            sends:
                #"{"app_id":"org.example","pushkey":"k","kind":"http","app_display_name":"茶","device_display_name":"d","lang":"zh","data":{"url":"https://push.example.com/_matrix/push/v1/notify","format":"event_id_only"}}"#
        ) {
            try await PostPusherManager().load(
                with: .init(
                    body: .init(
                        appID: "org.example", kind: "http", pushkey: "k", appDisplayName: "茶",
                        data: .init(
                            format: .eventIDOnly, url: "https://push.example.com/_matrix/push/v1/notify"),
                        deviceDisplayName: "d", lang: "zh")))
        }
        try await Live.show("pushers") { try await GetPushersManager().load() }
        try await Live.show("remove pusher", sends: #"{"app_id":"org.example","pushkey":"k","kind":null}"#) {
            try await PostPusherManager().load(
                with: .init(body: .init(appID: "org.example", kind: nil, pushkey: "k")))
        }
    }
}
