import DiscreteNetworkingJSON

/// What an endpoint takes from the response of a list.
struct ContractChain {
    /// The manager of the list.
    let list: String
    /// Each param, and its path in that response.
    let places: [(name: String, path: String)]
    /// The params of the list's own call, which the endpoint has as well.
    let shared: Set<String>

    func provides(_ name: String) -> Bool { shared.contains(name) || places.contains { $0.name == name } }
}

/// Finds, for `GET /shelves/{shelf}/books/{id}`, the list `GET /shelves/{shelf}/books`, and in its items what `id` is.
struct ContractChains {
    private let names: TypeNames
    /// The lists by the segments of their paths.
    private var lists: [[Substring]: List] = [:]

    private struct List {
        let operation: Operation
        /// The path of the first item in the response.
        let place: [String]
        /// The model of the items.
        let item: Structure
    }

    init(_ operations: [Operation], names: TypeNames) {
        self.names = names
        for operation in operations where operation.method == "GET" {
            lists[Self.segments(operation.path)] = list(operation)
        }
        // `POST /flows/filter` lists what is at `/flows`, if no call does that only reads.
        for operation in operations where operation.method == "POST" {
            let place = Array(Self.segments(operation.path).dropLast())
            if lists[place] == nil { lists[place] = list(operation) }
        }
    }

    /// - Returns: `nil` if there is no list whose items have the endpoint's last path param.
    func chain(to operation: Operation) -> ContractChain? {
        let segments = Self.segments(operation.path)
        guard let last = segments.lastIndex(where: Self.isParam),
            let parameter = operation.parameters.first(where: {
                $0.location == .path && segments[last].contains("{\($0.wireName)}")
            })
        else { return nil }
        // `/flows/name/{name}` is in the list of `/flows`.
        let place = Array(segments[..<last])
        let places = [place] + (place.last.map(Self.isParam) == false ? [Array(place.dropLast())] : [])
        let before = operation.parameters.filter { $0.location == .path && $0.key != parameter.key }.map(
            \.key)
        for list in places.compactMap({ lists[$0] })
        where list.operation.managerName != operation.managerName {
            // The list has the params before it from its own list.
            let own = list.operation.parameters.filter(\.isRequired).map(\.key)
            guard Set(own).isSuperset(of: before), let member = member(parameter.wireName, of: list.item)
            else {
                continue
            }
            let path = (list.place + [member]).joined(separator: ".")
            return ContractChain(
                list: list.operation.managerName, places: [(parameter.key, path)], shared: Set(before))
        }
        return nil
    }

    private static func segments(_ path: String) -> [Substring] { path.split(separator: "/") }

    private static func isParam(_ segment: Substring) -> Bool { segment.contains("{") }

    /// - Returns: `nil` if the response has no items.
    private func list(_ operation: Operation) -> List? {
        guard case .model(let type) = operation.output.kind else { return nil }
        let whole = names.resolved(names.resolved(type).wrapped)
        if let item = element(of: whole) { return List(operation: operation, place: ["0"], item: item) }
        guard let outer = structure(whole) else { return nil }
        for property in outer.properties where !property.wireName.contains(".") {
            if let item = element(of: names.resolved(property.type.wrapped)) {
                return List(operation: operation, place: [property.wireName, "0"], item: item)
            }
        }
        return nil
    }

    private func element(of type: SwiftType) -> Structure? {
        guard case .array(let element) = type else { return nil }
        return structure(names.resolved(names.resolved(element).wrapped))
    }

    private func structure(_ type: SwiftType) -> Structure? {
        guard case .model(let index) = type, case .structure(let structure) = names.models[index].kind else {
            return nil
        }
        return structure
    }

    /// The member of an item that a path param means: `id` for `id`, `petId` and `pet_id`.
    private func member(_ name: String, of model: Structure) -> String? {
        let words = Words.split(name).map { $0.lowercased() }
        let plain = model.properties.filter { !$0.isWriteOnly && !$0.wireName.contains(".") }.map(\.wireName)
        func called(_ words: [String]) -> String? {
            plain.first { Words.split($0).map { $0.lowercased() } == words }
        }
        let keys: Set<String> = ["id", "key", "login", "name", "number", "slug", "uuid"]
        return plain.first { $0 == name } ?? called(words)
            ?? words.last.flatMap { keys.contains($0) ? called([$0]) : nil }
    }
}
