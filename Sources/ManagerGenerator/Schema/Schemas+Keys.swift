/// What schemas are known by, whatever operations come and go.
extension Schemas {
    /// The name of what operations share: a parameter, a response or a body among the components.
    static func sharedName(_ place: Place) -> String? {
        let pointer = place.pointer
        if pointer.count >= 3, pointer[0] == "components" { return pointer[2] }
        return pointer.count >= 2 && ["parameters", "responses"].contains(pointer[0]) ? pointer[1] : nil
    }

    /// What identifies a place from one run to the next.
    func key(_ place: Place) -> String {
        place.document == description.root.place.document ? place.text : place.description
    }
}

extension Schemas.Name {
    /// The name of the schema of a body or a response: by its operation, but by its own name where operations share it.
    init(of media: Node, _ operation: [String], _ end: [String]) {
        guard let shared = Schemas.sharedName(media.place) else {
            self.init(words: operation + end, context: end)
            return
        }
        let words = Words.split(shared)
        self.init(words: words, longer: words + end)
    }
}
