/// What is known of the types that a text is decoded as. A cast to a protocol takes longer than to decode a number.
struct JSONTypeCache: ~Copyable {
    enum Kind {
        case other
        /// One that `JSONDecoder` treats in its own way.
        case special
        case standard(any JSONStandardType.Type)
    }

    private static let size = 16
    /// The first type, so that a text with one type needs no memory.
    private var first: (id: ObjectIdentifier?, kind: Kind) = (nil, .other)
    private var entries: UnsafeMutablePointer<(id: ObjectIdentifier?, kind: Kind)>?

    deinit { entries?.deallocate() }

    mutating func kind<T>(of type: T.Type, _ make: () -> Kind) -> Kind {
        let id = ObjectIdentifier(type)
        if first.id == id { return first.kind }
        guard first.id != nil else {
            first = (id, make())
            return first.kind
        }
        let entries = entries ?? allocate()
        // In bounds: less than `size`, which is a power of two.
        let place = entries + (Int(bitPattern: id) >> 4) & (Self.size - 1)
        if place.pointee.id == id { return place.pointee.kind }
        let kind = make()
        place.pointee = (id, kind)
        return kind
    }

    private mutating func allocate() -> UnsafeMutablePointer<(id: ObjectIdentifier?, kind: Kind)> {
        let new = UnsafeMutablePointer<(id: ObjectIdentifier?, kind: Kind)>.allocate(capacity: Self.size)
        new.initialize(repeating: (nil, .other), count: Self.size)
        entries = new
        return new
    }
}
