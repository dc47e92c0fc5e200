import DiscreteNetworking
import Foundation
import Live
import SynapseAPI

/// A room of two users: its state, messages, relations and what it is searched for.
extension SynapseLive {
    /// Creates a room, into which the second user is invited.
    @MainActor static func rooms(_ alice: Account, _ bob: Account) async throws -> String {
        act(as: alice)
        let room = try await Live.show(
            "create room",
            sends:
                #"{"name":"茶 🙂","topic":"a/b?c#d","preset":"private_chat","visibility":"private","room_alias_name":"tea/茶","initial_state":[{"type":"org.example.deep","state_key":"x/y","content":{"n":null,"big":9007199254740991,"list":[1,[true]]}}],"creation_content":{"m.federate":false},"is_direct":false}"#
        ) {
            try await CreateRoomManager().load(
                with: .init(
                    body: .init(
                        creationContent: ["m.federate": false],
                        initialState: [
                            .init(
                                content: ["n": nil, "big": 9_007_199_254_740_991, "list": [1, [true]]],
                                type: "org.example.deep", stateKey: "x/y")
                        ], isDirect: false, name: "茶 🙂", preset: .privateChat, roomAliasName: "tea/茶",
                        topic: "a/b?c#d", visibility: .private)))
        }.roomID
        try await Live.show("invite", sends: #"{"user_id":"\#(bob.id)","reason":"来"}"#) {
            try await InviteUserManager().load(
                with: .init(roomID: room, body: .init(userID: bob.id, reason: "来")))
        }
        act(as: bob)
        try await Live.show("sync of an invited user") {
            try await SyncManager().load(with: .init(timeout: 0))
        }
        try await Live.show("join", sends: #"{"reason":"好"}"#) {
            try await JoinRoomManager().load(with: .init(roomIDOrAlias: room, body: .init(reason: "好")))
        }
        try await Live.show("joined rooms of bob") { try await GetJoinedRoomsManager().load() }
        act(as: alice)
        try await Live.show("state") { try await GetRoomStateManager().load(with: .init(roomID: room)) }
        for (type, key, text) in [
            ("m.room.topic", "", #"{"topic":"春眠不觉晓"}"#),
            ("org.example.a/b", "ä/ö?", #"{"x":[null,-1],"y":{}}"#),
            ("org.example.a/b", "ä/ö?", #"{"x":false}"#),
        ] {
            try await Live.show("set state \(type)", sends: text) {
                try await SetRoomStateWithKeyManager().load(
                    with: .init(
                        roomID: room, eventType: type, stateKey: key,
                        body: try JSONValue(parsing: text).object ?? [:]))
            }
            try await Live.show("state \(type)") {
                try await GetRoomStateWithKeyManager().load(
                    with: .init(roomID: room, eventType: type, stateKey: key))
            }
            try await Live.show("state event \(type)") {
                try await GetRoomStateWithKeyManager().load(
                    with: .init(roomID: room, eventType: type, stateKey: key, format: .event))
            }
        }
        let state = try await Live.show("state of two users") {
            try await GetRoomStateManager().load(with: .init(roomID: room))
        }
        try await Live.expect {
            state.allSatisfy { $0.unsigned?.age != nil }
                && state.contains { $0.unsigned?.replacesState != nil }
        }
        try await Live.show("members") {
            try await GetMembersByRoomManager().load(with: .init(roomID: room, membership: .join))
        }
        try await Live.show("joined members") {
            try await GetJoinedMembersByRoomManager().load(with: .init(roomID: room))
        }
        return room
    }

    /// Sends events of both users, and reads them page by page.
    /// - Returns: The first message.
    @MainActor static func messages(_ alice: Account, _ bob: Account, room: String) async throws -> String {
        var events: [String] = []
        for (account, text) in [
            (alice, #"{"msgtype":"m.text","body":"春眠 🙂 \u2028 \"q\""}"#),
            (bob, #"{"msgtype":"m.text","body":"","org.example":{"n":null,"a":[1,[]]}}"#),
            (alice, #"{"msgtype":"m.notice","body":"x","big":-9007199254740991}"#),
        ] {
            act(as: account)
            events.append(
                try await Live.show("send \(events.count)", sends: text) {
                    try await SendMessageManager().load(
                        with: .init(
                            roomID: room, eventType: "m.room.message", txnID: "t/\(events.count)",
                            body: try JSONValue(parsing: text).object ?? [:]))
                }.eventID)
        }
        act(as: alice)
        let page = try await Live.show("messages") {
            try await GetRoomEventsManager().load(with: .init(roomID: room, dir: .b, limit: 4))
        }
        try await Live.expect {
            page.chunk.allSatisfy { $0.unsigned?.age != nil }
                && page.chunk.contains { $0.unsigned?.transactionID == "t/2" }
        }
        let more = try await Live.show("more messages") {
            try await GetRoomEventsManager().load(
                with: .init(roomID: room, dir: .b, from: page.end, limit: 50))
        }
        try await Live.expect {
            more.chunk.contains { $0.unsigned?.prevContent?["topic"] == "a/b?c#d" }
        }
        try await Live.show("filtered messages") {
            try await GetRoomEventsManager().load(
                with: .init(roomID: room, dir: .f, limit: 2, filter: #"{"types":["m.room.message"]}"#))
        }
        try await Live.show("event") {
            try await GetOneRoomEventManager().load(with: .init(roomID: room, eventID: events[0]))
        }
        try await Live.show("context") {
            try await GetEventContextManager().load(with: .init(roomID: room, eventID: events[1], limit: 3))
        }
        let now = Int(Date().timeIntervalSince1970 * 1000)
        try await Live.show("event by time") {
            try await GetEventByTimestampManager().load(with: .init(roomID: room, ts: now, dir: .b))
        }
        try await Live.show(
            "search",
            sends:
                #"{"search_categories":{"room_events":{"search_term":"春眠","keys":["content.body"],"order_by":"recent","event_context":{"before_limit":1,"after_limit":1,"include_profile":true},"groupings":{"group_by":[{"key":"room_id"}]},"include_state":true}}}"#
        ) {
            try await SearchManager().load(
                with: .init(
                    body: .init(
                        searchCategories: .init(
                            roomEvents: .init(
                                searchTerm: "春眠",
                                eventContext: .init(afterLimit: 1, beforeLimit: 1, includeProfile: true),
                                groupings: .init(groupBy: [.init(key: .roomID)]), includeState: true,
                                keys: [.contentBody], orderBy: .recent)))))
        }
        return events[0]
    }

    @MainActor static func relations(_ alice: Account, _ bob: Account, room: String, event: String)
        async throws
    {
        act(as: bob)
        for (type, text) in [
            ("m.reaction", #"{"m.relates_to":{"rel_type":"m.annotation","event_id":"\#(event)","key":"👍"}}"#),
            (
                "m.room.message",
                #"{"msgtype":"m.text","body":"t","m.relates_to":{"rel_type":"m.thread","event_id":"\#(event)"}}"#
            ),
        ] {
            try await Live.show("send \(type)", sends: text) {
                try await SendMessageManager().load(
                    with: .init(
                        roomID: room, eventType: type, txnID: type,
                        body: try JSONValue(parsing: text).object ?? [:]))
            }
        }
        act(as: alice)
        try await Live.show("relations") {
            try await GetRelatingEventsManager().load(with: .init(roomID: room, eventID: event, dir: .f))
        }
        try await Live.show("threads of an event") {
            try await GetRelatingEventsWithRelTypeManager().load(
                with: .init(roomID: room, eventID: event, relType: "m.thread"))
        }
        let reactions = try await Live.show("reactions") {
            try await GetRelatingEventsWithRelTypeAndEventTypeManager().load(
                with: .init(roomID: room, eventID: event, relType: "m.annotation", eventType: "m.reaction"))
        }
        try await Live.show("threads") { try await GetThreadRootsManager().load(with: .init(roomID: room)) }
        try await Live.show("event with a thread") {
            try await GetOneRoomEventManager().load(with: .init(roomID: room, eventID: event))
        }
        act(as: bob)
        try await Live.show("redact", sends: #"{"reason":"错"}"#) {
            try await RedactEventManager().load(
                with: .init(
                    roomID: room, eventID: reactions.chunk.first?.eventID ?? "", txnID: "r1",
                    body: .init(reason: "错")))
        }
        try await Live.show("redacted event") {
            try await GetOneRoomEventManager().load(
                with: .init(roomID: room, eventID: reactions.chunk.first?.eventID ?? ""))
        }
    }
}
