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
            PackageResources.words_js, PackageResources.model_js, PackageResources.list_js,
            PackageResources.columns_js, PackageResources.portions_js, PackageResources.tree_js,
            PackageResources.bodies_js, PackageResources.steps_js, PackageResources.detail_js,
            PackageResources.compare_js, PackageResources.kept_js, PackageResources.search_js,
            PackageResources.act_js, PackageResources.rules_js, PackageResources.archives_js,
            PackageResources.queue_js, PackageResources.app_js,
        ]
        let parts = [
            "%nonce%": nonce, "%allowed%": abilities.joined(separator: " "),
            "%style%": text(PackageResources.style_css),
            "%script%": scripts.map(text).joined(separator: "\n"),
        ]
        // Not one after the other: a part may contain what stands for another.
        return text(PackageResources.page_html).components(separatedBy: "%").enumerated().reduce(into: "") {
            page, piece in
            page += piece.offset.isMultiple(of: 2) ? piece.element : parts["%\(piece.element)%"] ?? ""
        }
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
