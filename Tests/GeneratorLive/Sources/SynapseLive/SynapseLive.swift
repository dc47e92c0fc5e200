import DiscreteNetworking
import Foundation
import Live
import SynapseAPI

/// Calls a Synapse server that has no users.
@main
struct SynapseLive {
    @MainActor static var service: MatrixService!

    static func main() async {
        await Live.main { server in
            let service = MatrixService(server: server)
            Self.service = service
            ServiceFactory.shared.register([.matrix: { service }])
            try await about()
            let alice = try await register("alice", password: "密码 🙂 \\\"1")
            let bob = try await register("bob", password: "p\u{e9}")
            try await sessions(alice)
            try await profiles(alice, bob)
            let room = try await rooms(alice, bob)
            let event = try await messages(alice, bob, room: room)
            try await relations(alice, bob, room: room, event: event)
            try await syncs(alice, bob, room: room)
            try await accountData(alice, room: room)
            try await pushRules(alice)
            try await directory(alice, room: room)
            try await keys(alice, bob)
            try await media()
            try await membership(alice, bob, room: room)
            try await ends(alice)
        }
    }

    /// A user, who is logged in with these tokens.
    struct Account {
        let id: String
        let device: String
        var tokens: SessionTokens
    }

    /// The calls that follow are this user's.
    @MainActor static func become(_ account: Account) { service.session.adopt(account.tokens) }

    @MainActor private static func about() async throws {
        try await Live.show("versions") { try await GetVersionsManager().load() }
        try await Live.show("login flows") { try await GetLoginFlowsManager().load() }
        let refused = try await Live.refused(.http(status: 401)) {
            try await RegisterManager().load(with: .init(body: .init(username: "alice")))
        }
        try await Live.expect {
            guard case .status401(let failure) = RegisterManager.failure(in: refused) else { return false }
            return failure.session?.isEmpty == false && failure.flows.first?.stages == ["m.login.dummy"]
        }
        try await Live.show("available") {
            try await CheckUsernameAvailabilityManager().load(with: .init(username: "alice"))
        }
    }

    /// Nobody is logged in by what registers: the call has no token, even with one of another user.
    @MainActor private static func register(_ name: String, password: String) async throws -> Account {
        let response = try await Live.show("register \(name)") {
            try await RegisterManager().load(
                with: .init(
                    body: .init(
                        auth: .init(type: "m.login.dummy"), deviceID: "PHONE", initialDeviceDisplayName: "电话",
                        password: password, username: name), kind: .user))
        }
        let login = try await Live.show(
            "login \(name)",
            sends:
                #"{"type":"m.login.password","identifier":{"type":"m.id.user","user":"\#(name)"},"password":"\#(password.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\""))","device_id":"TABLET","refresh_token":true}"#
        ) {
            try await LoginManager().load(
                with: .init(
                    body: .init(
                        type: "m.login.password", deviceID: "TABLET",
                        identifier: .init(type: "m.id.user", additionalProperties: ["user": .string(name)]),
                        password: password, refreshToken: true)))
        }
        try await Live.expect { login.userID == response.userID && login.userID == "@\(name):localhost" }
        let account = Account(
            id: login.userID, device: login.deviceID,
            tokens: SessionTokens(
                accessToken: login.accessToken, refreshToken: login.refreshToken, user: login.userID))
        become(account)
        try await Live.show("whoami \(name)") { try await GetTokenOwnerManager().load() }
        return account
    }

    @MainActor private static func sessions(_ alice: Account) async throws {
        become(alice)
        let refreshed = try await Live.show("refresh") {
            try await RefreshManager().load(
                with: .init(body: .init(refreshToken: alice.tokens.refreshToken ?? "")))
        }
        try await Live.expect {
            refreshed.accessToken != alice.tokens.accessToken && refreshed.expiresInMs != nil
        }
        service.session.adopt(SessionTokens(accessToken: refreshed.accessToken, user: alice.id))
        try await Live.show("whoami, refreshed") { try await GetTokenOwnerManager().load() }
        tokens[alice.id] = service.session.tokens
        try await Live.show("devices") { try await GetDevicesManager().load() }
        try await Live.show("device") { try await GetDeviceManager().load(with: .init(deviceID: "PHONE")) }
        try await Live.show("rename device", sends: #"{"display_name":"平板 \"2\""}"#) {
            try await UpdateDeviceManager().load(
                with: .init(deviceID: "TABLET", body: .init(displayName: "平板 \"2\"")))
        }
        try await Live.show("capabilities") { try await GetCapabilitiesManager().load() }
        try await Live.show("turn server") { try await GetTurnServerManager().load() }
        try await Live.show("3pid") { try await GetAccount3PIDsManager().load() }
        try await Live.show("who is") { try await GetWhoIsManager().load(with: .init(userID: alice.id)) }
        try await Live.show("openid", sends: "{}") {
            try await RequestOpenIDTokenManager().load(with: .init(userID: alice.id, body: [:]))
        }
    }

    /// The tokens that a refresh has replaced.
    @MainActor static var tokens: [String: SessionTokens] = [:]

    @MainActor static func current(_ account: Account) -> Account {
        var account = account
        account.tokens = tokens[account.id] ?? account.tokens
        return account
    }

    @MainActor static func act(as account: Account) { become(current(account)) }

    @MainActor private static func profiles(_ alice: Account, _ bob: Account) async throws {
        act(as: bob)
        try await Live.show("set name", sends: #"{"displayname":"鲍勃 🙂"}"#) {
            try await SetProfileFieldManager().load(
                with: .init(userID: bob.id, keyName: "displayname", body: ["displayname": "鲍勃 🙂"]))
        }
        act(as: alice)
        try await Live.show("name") {
            try await GetProfileFieldManager().load(with: .init(userID: bob.id, keyName: "displayname"))
        }
        try await Live.show("profile") { try await GetUserProfileManager().load(with: .init(userID: bob.id)) }
        try await Live.show("set presence", sends: #"{"presence":"online","status_msg":"茶"}"#) {
            try await SetPresenceManager().load(
                with: .init(userID: alice.id, body: .init(presence: .online, statusMsg: "茶")))
        }
        try await Live.show("presence") { try await GetPresenceManager().load(with: .init(userID: alice.id)) }
        try await Live.show("search users") {
            try await SearchUserDirectoryManager().load(with: .init(body: .init(searchTerm: "bob", limit: 3)))
        }
    }

    @MainActor private static func ends(_ alice: Account) async throws {
        act(as: alice)
        try await Live.show("login token") { try await GetPushersManager().load() }
        try await Live.show("logout") { try await LogoutManager().load() }
        try await Live.refused(.loginRequired) { try await GetTokenOwnerManager().load() }
    }
}
