public import DiscreteNetworkingCore
import Foundation

extension APIResponse {
    /// A name for the file of this response: the file name of `Content-Disposition` (RFC 6266), otherwise the last part
    /// of the URL's path. Never empty, and safe as a file name.
    ///
    /// ```swift
    /// Download { [folder] response in
    ///     folder.appendingPathComponent(response.suggestedFilename)
    /// }
    /// ```
    ///
    /// `filename*` (RFC 8187) is preferred to `filename`. Only the last part of a path is used. Control characters,
    /// characters that change the direction of text, `:` and leading dots are removed. A name of more than 200 bytes is
    /// shortened before its extension. A name that an incomplete download might have (`a.map.partial`) gets a `_`. The
    /// server chooses the name: two responses may have the same one.
    public var suggestedFilename: String {
        let field = headers["Content-Disposition"] ?? ""
        let parameters = FieldParameters(field)
        for name in [parameters[extended: "filename*"], parameters["filename"], url.lastPathComponent] {
            if let name = name.flatMap(SafeFilename.init)?.text { return name }
        }
        return "download"
    }
}

/// A file name without anything that could deceive a user or lead out of its folder.
private struct SafeFilename {
    let text: String

    /// - Returns: `nil` if nothing is left of the name.
    init?(_ name: String) {
        let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
        let scalars = String.UnicodeScalarView(last.unicodeScalars.filter(Self.isVisible))
        var text = Substring(String(scalars)).drop { $0 == "." || $0.isWhitespace }
        while let end = text.last, end == "." || end.isWhitespace { text.removeLast() }
        guard !text.isEmpty else { return nil }
        let short = Self.shortened(text)
        // Those are the names of a download that is not complete, and must not be made by a server.
        let isPartial = [".partial", ".partial.json"].contains { short.lowercased().hasSuffix($0) }
        self.text = isPartial ? short + "_" : short
    }

    /// Not controls, the marks that turn text around (`gpj.exe`), and what a file system reads as a separator.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: scalar != ":" && scalar != "\u{FEFF}" && !scalar.properties.isBidiControl
        }
    }

    /// Most file systems have names of up to 255 bytes, of which a partial file and a number need some.
    private static let limit = 200

    private static func shortened(_ text: Substring) -> String {
        guard text.utf8.count > limit else { return String(text) }
        let dot = text.lastIndex(of: ".").flatMap { text[$0...].utf8.count <= 20 ? $0 : nil }
        let end = text[(dot ?? text.endIndex)...]
        var start = text[..<(dot ?? text.endIndex)]
        while start.utf8.count + end.utf8.count > limit, !start.isEmpty { start.removeLast() }
        return String(start + end)
    }
}

extension FieldParameters {
    /// The decoded value of an extended parameter such as `filename*`; `nil` if there is none.
    fileprivate subscript(extended name: String) -> String? { self[name].flatMap(Self.decoded) }

    /// Decodes `UTF-8'zh'%E8%8C%B6` (RFC 8187 section 3.2).
    private static func decoded(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        let bytes = PercentEncoding.decoded(Array(parts[2].utf8))
        switch parts[0].lowercased() {
        case "utf-8": return String(bytes: bytes, encoding: .utf8)
        case "iso-8859-1": return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default: return nil
        }
    }
}
