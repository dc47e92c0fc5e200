/// A change of a cached output that is shown before the server has responded.
package struct CacheLayer: Sendable {
    /// Identifies the update that it is a part of.
    let id: ObjectIdentifier
    /// Changes an output; one of another type stays as it is.
    let apply: @Sendable (any Sendable) -> any Sendable
    var stage: Stage

    /// How far the call is that makes the change.
    package enum Stage: Sendable {
        /// It has not been sent: no response has the change.
        case waiting
        /// It was sent, and is sent again: the server may have the change.
        case maybeSent
        /// It is being sent: a response may have the change, or not.
        case inFlight
        /// It has succeeded.
        case confirmed
    }

    var isConfirmed: Bool { stage == .confirmed }
}

/// The changes over one cached response, the earliest first.
///
/// Screens show the response with all changes. A failed change is removed, and the others remain. A confirmed change
/// keeps its place until all changes before it are confirmed or removed. Then it is written into the response.
struct CacheLayers: Sendable {
    /// Another number after each change of the layers or of the response below them.
    var version: Int
    private(set) var all: [CacheLayer] = []
    /// Whether the response has to be loaded again when no change is in flight: one was not stored, or may have a change twice.
    var needsReload = false

    init(version: Int) { self.version = version }

    /// The layers to write into the response.
    var confirmedFirst: ArraySlice<CacheLayer> { all.prefix { $0.isConfirmed } }

    /// - Parameter old: The update that is replaced.
    mutating func add(_ layer: CacheLayer, replacing old: ObjectIdentifier?) {
        // What was sent before it is shown may be in the response below.
        if layer.stage != .waiting, !all.contains(where: { $0.id == layer.id || $0.id == old }) {
            needsReload = true
        }
        all.append(layer)
    }

    var isInFlight: Bool { all.contains { $0.stage == .inFlight } }

    mutating func note(_ stage: CacheLayer.Stage, of id: ObjectIdentifier) {
        for index in all.indices where all[index].id == id && !all[index].isConfirmed {
            all[index].stage = stage
        }
    }

    /// - Returns: Whether there was a layer of the update.
    mutating func settle(_ id: ObjectIdentifier, isConfirmed: Bool) -> Bool {
        let count = all.count
        guard isConfirmed else {
            all.removeAll { $0.id == id && !$0.isConfirmed }
            return all.count < count
        }
        var isFound = false
        for index in all.indices where all[index].id == id {
            all[index].stage = .confirmed
            isFound = true
        }
        return isFound
    }

    /// A new response is below: it has what was confirmed.
    mutating func rebase() {
        all.removeAll(where: \.isConfirmed)
        if all.contains(where: { $0.stage == .maybeSent }) { needsReload = true }
    }

    /// The first layers were written into the response.
    mutating func removeFirst(_ count: Int) {
        assert(
            all.prefix(count).allSatisfy(\.isConfirmed), "an undecided change was written into the response")
        all.removeFirst(count)
    }

    static func apply(_ layers: some Sequence<CacheLayer>, to output: any Sendable) -> any Sendable {
        layers.reduce(output) { $1.apply($0) }
    }
}
