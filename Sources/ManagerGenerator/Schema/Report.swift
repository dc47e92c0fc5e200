/// A note for the user: something that could not be expressed in Swift, or was left out.
struct Note: Hashable, Sendable {
    let place: Place
    let text: String
}

/// Collects notes while a description is read, without duplicates.
final class Report {
    private(set) var notes: [Note] = []
    private var known: Set<Note> = []

    func add(_ text: String, at place: Place) {
        let note = Note(place: place, text: VisibleText.line(text))
        if known.insert(note).inserted { notes.append(note) }
    }
}
