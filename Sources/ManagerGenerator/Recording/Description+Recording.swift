import DiscreteNetworkingJSON
import Foundation

extension Description {
    /// Reads a description, or recorded traffic in its place, with the corrections of the options.
    convenience init(
        _ options: GeneratorOptions, loader: DocumentLoader = DocumentLoader()
    ) throws(GeneratorError) {
        var loader = loader
        loader.saved = try SavedDocuments(options.savedDocuments)
        var (document, size, notes) = try Self.corrected(options, by: options.overlays, loader: loader)
        try options.corrections.apply(to: &document)
        try FormatMap(options.formats).apply(to: &document)
        try self.init(document, at: DocumentLoader.url(of: options.input), loader: loader, size: size)
        sourceNotes = notes
    }

    /// Reads a description, or recorded traffic in its place.
    convenience init(at location: String, loader: DocumentLoader = DocumentLoader()) throws(GeneratorError) {
        try self.init(GeneratorOptions(input: location), loader: loader)
    }

    /// - Parameter overlays: The places of the overlays that correct the description.
    /// - Returns: The document, the size of what was read in bytes, and notes on what was left out or selects nothing.
    static func corrected(
        _ options: GeneratorOptions, by overlays: [String], loader: DocumentLoader
    ) throws(GeneratorError) -> (document: JSONValue, size: Int, notes: [Note]) {
        let url = DocumentLoader.url(of: options.input)
        var (document, total, notes) = try loader.document(at: url)
        let place = Place(document: DocumentLoader.name(url), pointer: [])
        if let traffic = try RecordedTraffic(document, templates: options.paths, at: place) {
            document = traffic.description
            notes += traffic.notes.map { Note(place: place, text: $0) }
        }
        for overlay in overlays {
            let url = DocumentLoader.url(of: overlay)
            let (value, size, others) = try loader.document(at: url)
            total += size
            notes += others
            let root = Node(value: value, place: Place(document: DocumentLoader.name(url), pointer: []))
            notes += try Overlay(root).apply(to: &document)
        }
        return (document, total, notes)
    }
}
