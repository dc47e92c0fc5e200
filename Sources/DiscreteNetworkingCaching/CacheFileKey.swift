/// The names of a cache key on disk, each a digest.
struct CacheFileKey: Sendable, Hashable {
    /// The directory of the service.
    let service: String
    /// The directory of the endpoint, inside the directory of the service.
    let endpoint: String
    /// The file, without its extension.
    let entry: String

    init(service: String, endpoint: String, entry: String) {
        (self.service, self.endpoint, self.entry) = (service, endpoint, entry)
    }

    init(_ key: CacheKey) { self.init(service: key.service, endpoint: key.endpoint, entry: key.entry) }

    // The digest of all parts is unique.
    static func == (left: CacheFileKey, right: CacheFileKey) -> Bool { left.entry == right.entry }
    func hash(into hasher: inout Hasher) { hasher.combine(entry) }
}
