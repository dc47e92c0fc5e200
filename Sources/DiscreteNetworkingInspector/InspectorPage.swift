import Foundation
import LoopbackServer

/// The page, in one piece: style and script are part of it, and its policy lets it load nothing from elsewhere.
enum InspectorPage {
    static func response(allowing abilities: [String]) -> LoopbackResponse {
        // Only what carries the nonce is run (Content Security Policy, level 3).
        let nonce = RequestGuard.makeToken()
        let page = text(nonce: nonce, abilities)
        let policy =
            "default-src 'none'; script-src 'nonce-\(nonce)'; style-src 'nonce-\(nonce)'; connect-src 'self'; "
            + "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        return .data(Data(page.utf8), type: "text/html; charset=utf-8").adding(
            "Content-Security-Policy", policy)
    }

    static func text(nonce: String, _ abilities: [String]) -> String {
        let scripts = [
            words, model, list, columns, portions, tree, bodies, steps, detail,
            compare, kept, search, act, rules, archives, queue, app,
        ]
        let parts = [
            "%nonce%": nonce, "%allowed%": abilities.joined(separator: " "),
            "%style%": style,
            "%script%": scripts.joined(separator: "\n"),
        ]
        // Not one after the other: a part may contain what stands for another.
        return frame.components(separatedBy: "%").enumerated().reduce(into: "") {
            page, piece in
            page += piece.offset.isMultiple(of: 2) ? piece.element : parts["%\(piece.element)%"] ?? ""
        }
    }
}
