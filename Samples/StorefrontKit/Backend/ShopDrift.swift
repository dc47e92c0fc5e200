import DiscreteNetworking

/// What a backend team changes on the quiet, each in the deliveries.
enum ShopDrift: String, CaseIterable, Sendable {
    case renamedField = "renamed-field"
    case numberAsString = "number-as-string"
    case droppedNullable = "dropped-nullable"
    case newEnumCase = "new-enum-case"
    case addedField = "added-field"

    func change(_ delivery: inout Params) {
        switch self {
        case .renamedField:
            delivery["price"] = delivery["fee"]
            delivery["fee"] = nil
        case .numberAsString: delivery["fee"] = delivery["fee"].map { .string($0.canonicalText) }
        case .droppedNullable: delivery["courier"] = nil
        case .newEnumCase: if delivery["state"] == "delivered" { delivery["state"] = "returned" }
        case .addedField: delivery["insured"] = true
        }
    }
}
