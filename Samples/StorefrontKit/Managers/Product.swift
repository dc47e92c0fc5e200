/// A product, as both the list and the detail page get it.
nonisolated struct Product: Decodable, Sendable, Identifiable {
    let id: Int
    let name: String
    /// In fen, a hundredth of a yuan: money is no place for floating point.
    let price: Int
    let stock: Int
}
