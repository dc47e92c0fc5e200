/// A note for the user: something that could not be expressed in Swift, or was left out.
struct Note: Hashable, Sendable {
    let place: Place
    let text: String

    /// Returns a line for each note. What more than ten places have is one line with three of them, after the others: one habit
    /// of a generator of descriptions would hide everything else.
    static func lines(_ notes: [Note]) -> [String] {
        let groups = Dictionary(grouping: notes, by: \.text)
        var single: [String] = []
        var common: [String] = []
        var known: Set<String> = []
        for note in notes {
            let group = groups[note.text] ?? []
            if group.count <= 10 {
                single.append("\(note.place) \(note.text)")
            } else if known.insert(note.text).inserted {
                let places = group.prefix(3).map { "\($0.place)" }.joined(separator: ", ")
                common.append("\(group.count) places, such as \(places): \(note.text)")
            }
        }
        return single + common
    }
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
