/// What is worth telling about a description: what could not be expressed, and what was passed over.
struct Note: Hashable, Sendable {
    let place: Place
    let text: String
}

/// Collects notes while a description is read; each place and text once.
final class Report {
    private(set) var notes: [Note] = []
    private var known: Set<Note> = []

    func add(_ text: String, at place: Place) {
        let note = Note(place: place, text: text)
        if known.insert(note).inserted { notes.append(note) }
    }
}
