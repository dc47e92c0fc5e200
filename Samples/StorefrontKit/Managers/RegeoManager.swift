import DiscreteNetworking

nonisolated struct Address: Decodable, Sendable {
    let formattedAddress: String

    private enum CodingKeys: String, CodingKey {
        case formattedAddress = "formatted_address"
    }
}

/// The address of a place. Params: `location`, an array of longitude and latitude.
final class RegeoManager: APIManager<Address> {
    let serviceIdentifier = ServiceIdentifier.map
    let methodName = "geocode/regeo"
    let requestType = HTTPMethod.get
}
