/// The words of a name as a description has it: `pet_id`, `petId`, `X-Pet-ID` and `PetID` are pet and id.
enum Words {
    static func split(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        var previous: Character?
        let characters = Array(text)
        let isAlone = !characters.contains { $0.isLetter || $0.isNumber }
        for (index, character) in characters.enumerated() {
            guard character.isLetter || character.isNumber else {
                words.append(word)
                word = ""
                if let symbol = symbol(character, at: index, in: characters, isAlone: isAlone) {
                    words.append(symbol)
                }
                previous = nil
                continue
            }
            let next = index + 1 < characters.count ? characters[index + 1] : nil
            let begins =
                previous.map { previous in
                    character.isUppercase
                        && (previous.isLowercase || previous.isNumber
                            || (previous.isUppercase && next?.isLowercase == true
                                && !isPlural(next, characters, index)))
                } ?? false
            if begins {
                words.append(word)
                word = ""
            }
            word.append(character)
            previous = character
        }
        words.append(word)
        return limited(words.filter { !$0.isEmpty }.flatMap(separated))
    }

    /// `3pid` is two words, as `3PID` and `3Pid` are, so that all have one spelling.
    private static func separated(_ word: String) -> [String] {
        guard let digit = word.lastIndex(where: \.isNumber) else { return [word] }
        let rest = word[word.index(after: digit)...]
        return acronyms[rest.lowercased()] == nil ? [word] : [String(word[...digit]), String(rest)]
    }

    /// Limits the length of a name, so that a file name with its suffixes stays below 255 bytes.
    static func limited(_ words: [String]) -> [String] {
        var room = 120
        return words.compactMap { word in
            var word = word
            while word.utf8.count > room { word.removeLast() }
            room -= word.utf8.count
            return word.isEmpty ? nil : word
        }
    }

    /// The `s` of `IDs` belongs to the word before it.
    private static func isPlural(_ next: Character?, _ characters: [Character], _ index: Int) -> Bool {
        next == "s" && (index + 2 >= characters.count || !characters[index + 2].isLowercase)
    }

    /// Words for symbols that distinguish names: `+1` and `-1`, `<` and `>`.
    /// - Parameter isAlone: Whether there are no letters and digits.
    private static func symbol(
        _ character: Character, at index: Int, in characters: [Character], isAlone: Bool
    ) -> String? {
        let next = index + 1 < characters.count ? characters[index + 1] : nil
        switch character {
        case "+": return "plus"
        case "-" where isAlone || (index == 0 && next?.isNumber == true): return "minus"
        case "<": return "less"
        case ">": return "greater"
        case "=" where isAlone: return "equal"
        case "*" where isAlone: return "any"
        case "!" where isAlone: return "not"
        case "/" where isAlone: return "slash"
        case "." where isAlone: return "dot"
        case "_" where isAlone: return "underscore"
        default: return nil
        }
    }

    /// Written in capitals where they do not begin a name (Swift API Design Guidelines).
    private static let acronyms: [String: String] = [
        "id": "ID", "ids": "IDs", "url": "URL", "urls": "URLs", "uri": "URI", "uris": "URIs", "uuid": "UUID",
        "http": "HTTP", "https": "HTTPS", "json": "JSON", "api": "API", "html": "HTML", "xml": "XML",
        "ip": "IP",
        "pid": "PID", "pids": "PIDs", "sku": "SKU", "sql": "SQL", "ui": "UI", "utc": "UTC", "csv": "CSV",
        "pdf": "PDF", "ssl": "SSL",
        "tls": "TLS",
    ]

    static func upperCamel(_ words: [String]) -> String { words.map(capitalized).joined() }

    static func lowerCamel(_ words: [String]) -> String {
        guard let first = words.first else { return "" }
        let head =
            first.allSatisfy { !$0.isLowercase } || acronyms[first.lowercased()] != nil
            ? first.lowercased() : first.prefix(1).lowercased() + first.dropFirst()
        return head + words.dropFirst().map(capitalized).joined()
    }

    private static func capitalized(_ word: String) -> String {
        if let acronym = acronyms[word.lowercased()] { return acronym }
        // SHOUTING is no acronym.
        let rest =
            word.count > 4 && word.allSatisfy({ !$0.isLowercase })
            ? word.dropFirst().lowercased()[...] : word.dropFirst()
        return word.prefix(1).uppercased() + rest
    }

    /// `Tag` for `tags`.
    static func singular(_ words: [String]) -> [String] {
        guard let last = words.last, last.count > 3 else { return words + ["item"] }
        let lower = last.lowercased()
        if lower.hasSuffix("ies") { return words.dropLast() + [last.dropLast(3) + "y"] }
        if lower.hasSuffix("s"), !["ss", "us", "is"].contains(where: lower.hasSuffix) {
            return words.dropLast() + [String(last.dropLast())]
        }
        return words + ["item"]
    }
}
