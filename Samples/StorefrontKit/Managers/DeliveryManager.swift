import DiscreteNetworking

/// Parcels on their way.
nonisolated struct Deliveries: Decodable, Sendable {
    struct Delivery: Decodable, Sendable {
        let id: Int
        /// In fen.
        let fee: Int
        let state: State
        /// `nil` until somebody has it.
        let courier: String?
    }

    enum State: String, Decodable, Sendable { case packed, shipped, delivered }

    let deliveries: [Delivery]
}

/// What is on its way in the city today. No params.
final class DeliveryManager: APIManager<Deliveries> {
    let serviceIdentifier = ServiceIdentifier.shop
    let methodName = "deliveries"
    let requestType = HTTPMethod.get
}
