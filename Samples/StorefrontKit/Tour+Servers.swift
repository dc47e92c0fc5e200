import DiscreteNetworking
import Foundation

/// The part of the walk that leaves the shop: its wallet, its storage, its forum.
extension Tour {
    func visitOtherServers(from folder: URL) async {
        await redeem()
        await transcript.step(
            "Send a picture to another server, by the URL it is allowed at", expecting: .success
        ) {
            let ticket = try await screen.uploadTicket.load(with: ["name": "teapot.jpg"])
            let picture = folder.appendingPathComponent("teapot.jpg")
            try Data(count: 1024).write(to: picture)
            screen.upload.file = picture
            try await screen.upload.load(at: ticket.url)
            return ["\(screen.upload.response?.status ?? 0), without the shop's token"]
        }
        await transcript.step("Look at the forum as a stranger", expecting: .http(401)) {
            try await screen.call(screen.forumMember)
            return []
        }
        await transcript.step("Log in at the forum, which remembers by a cookie", expecting: .success) {
            try await screen.call(screen.forumLogin)
            return ["欢迎, \(try await screen.forumMember.load().nickname)"]
        }
    }

    /// Nobody on the way reads a byte of it.
    private func redeem() async {
        await transcript.step("Redeem a gift card, with both bodies wrapped", expecting: .success) {
            let card = try await screen.redeemCard.load(with: ["code": "SPRING-2026"])
            return ["\(PriceReformer.yuan(card.value)) on the card"]
        }
        await transcript.step("Redeem it again: the refusal is wrapped, too", expecting: .http(409)) {
            _ = try await screen.redeemCard.load(with: ["code": "SPRING-2026"])
            return []
        }
    }
}
