import DiscreteNetworkingJSON
import Foundation

/// The documents that a description refers to.
extension Description {
    /// A reference in any script as a URI reference (RFC 3986): what has no place in one is percent-encoded.
    private static func encoded(_ reference: String) -> String {
        let bytes = Array(reference.utf8)
        func isHex(_ index: Int) -> Bool {
            index < bytes.count && Character(Unicode.Scalar(bytes[index])).isHexDigit
        }
        var text = ""
        for (index, byte) in bytes.enumerated() {
            let isPlain =
                byte == UInt8(ascii: "%")
                ? isHex(index + 1) && isHex(index + 2)
                : 0x21..<0x7F ~= byte && !#""<>\^`{|}"#.utf8.contains(byte)
            let hex = String(byte, radix: 16, uppercase: true)
            text += isPlain ? String(Unicode.Scalar(byte)) : "%" + (hex.count < 2 ? "0" : "") + hex
        }
        return text
    }

    /// Where a reference to another document leads.
    private func url(of file: String, from place: Place) throws(GeneratorError) -> URL {
        let base = DocumentLoader.url(of: place.document)
        guard var url = URL(string: Self.encoded(file), relativeTo: base)?.absoluteURL,
            let path = URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath
                .removingPercentEncoding, !path.utf8.contains(0)
        else {
            throw GeneratorError("The reference \(VisibleText.url(file)) is no URL.", at: place)
        }
        // `%2E%2E%2F` leads up as `../` does.
        if url.isFileURL { url = URL(fileURLWithPath: path).standardizedFileURL }
        try refuseElsewhere(url, VisibleText.url(file), at: place)
        return url
    }

    /// Loads a document beside another one.
    func name(of file: String, from place: Place) throws(GeneratorError) -> String {
        let url = try url(of: file, from: place)
        let name = DocumentLoader.name(url.standardized)
        if documents[name] == nil {
            let limit = url.isFileURL ? loader.limits.files : loader.limits.documents
            guard documents.count < limit else {
                throw GeneratorError(
                    "The description refers to more than \(limit) documents; join them into one.",
                    at: place)
            }
            do throws(GeneratorError) {
                if converted[name] == nil, url.isFileURL { convertAhead() }
                let ready = converted.removeValue(forKey: name)
                let (document, size, notes) =
                    if let ready { (ready.value, ready.size, [Note]()) } else { try loader.document(at: url) }
                documents[name] = document
                self.size += size
                sourceNotes += notes
            } catch let error {
                throw GeneratorError(
                    "The reference \(VisibleText.url(file)): \(error.message)", at: place,
                    isBrokenReference: url.isFileURL || loader.saved.file(of: url) != nil)
            }
            guard size <= loader.limits.totalBytes else {
                throw GeneratorError(
                    "The documents of the description are larger than \(DocumentLimits.text(loader.limits.totalBytes)).",
                    at: place)
            }
        }
        return name
    }

    /// Converts the files that the documents refer to, those that these refer to, and so on.
    private func convertAhead() {
        var rest = documents.filter { !scanned.contains($0.key) }
        while !rest.isEmpty, scanned.count < loader.limits.files {
            var urls: [URL] = []
            for (name, value) in rest where scanned.insert(name).inserted {
                for file in Self.files(in: value) {
                    guard let url = try? url(of: file, from: Place(document: name, pointer: [])),
                        url.isFileURL
                    else { continue }
                    let name = DocumentLoader.name(url.standardized)
                    if documents[name] == nil, converted[name] == nil, asked.insert(name).inserted {
                        urls.append(url)
                    }
                }
            }
            rest = [:]
            for (url, document) in loader.convertible(urls) {
                let name = DocumentLoader.name(url.standardized)
                converted[name] = document
                rest[name] = document.value
            }
        }
    }

    /// The other documents that a document refers to.
    private static func files(in document: JSONValue) -> Set<String> {
        var files: Set<String> = []
        var rest = [document]
        while let value = rest.popLast() {
            if let file = value["$ref"]?.string?.prefix(while: { $0 != "#" }), !file.isEmpty {
                files.insert(String(file))
            }
            rest += value.array ?? []
            if let members = value.object { rest += members.values }
        }
        return files
    }

    /// Refuses references to files outside the allowed folders and to other servers.
    private func refuseElsewhere(_ url: URL, _ reference: String, at place: Place) throws(GeneratorError) {
        if let file = loader.saved.file(of: url) { return try refuseDevice(file, reference, at: place) }
        let first = DocumentLoader.url(of: root.place.document)
        guard first.isFileURL else {
            if url.isFileURL {
                throw GeneratorError("The reference \(reference) leads from a server to a file.", at: place)
            }
            guard url.isSameOrigin(as: first) else {
                throw GeneratorError(
                    "The reference \(reference) leads to another server; save what is there, and give its folder with --map-url.",
                    at: place, isBrokenReference: true)
            }
            return
        }
        guard url.isFileURL else {
            throw GeneratorError(
                "The reference \(reference) leads to another server; save what is there, and give its folder with --map-url.",
                at: place, isBrokenReference: true)
        }
        let folders = [
            first.deletingLastPathComponent(),
            URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true),
        ]
        let path = url.standardizedFileURL.resolvingSymlinksInPath().pathComponents
        guard folders.contains(where: { path.starts(with: $0.resolvingSymlinksInPath().pathComponents) })
        else {
            throw GeneratorError(
                """
                The reference \(reference) leads out of the folder of the description. Run generate-managers in a folder \
                that both are in, if that is meant.
                """, at: place)
        }
        try refuseDevice(url, reference, at: place)
    }

    private func refuseDevice(_ url: URL, _ reference: String, at place: Place) throws(GeneratorError) {
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: url.resolvingSymlinksInPath().path)
        if let kind = attributes?[.type] as? FileAttributeType, kind != .typeRegular {
            throw GeneratorError("The reference \(reference) leads to what is no regular file.", at: place)
        }
    }
}
