import Foundation

/// What changes a request between ``Service/adapt(_:for:)`` and its signer: the plugins in their order, then the body
/// transform.
struct RequestChanges: Sendable {
    /// One change, and what makes it, for errors.
    struct Change: Sendable {
        let name: String
        let make: @Sendable (inout APIRequest, APICall) async throws -> Void
    }

    var plugins: [any APIPlugin] = []
    var bodyTransform: (any BodyTransform)?
    /// `nil` for no compression.
    var compression: Compression?

    /// Compresses bodies after all changes.
    struct Compression: Sendable {
        /// The size of a body from which on it is compressed, in bytes.
        let minimumSize: Int
        /// Whether a host does not accept compressed bodies.
        var isRefused: @Sendable (URL) -> Bool = { _ in false }

        func compress(_ request: inout APIRequest) {
            guard !isRefused(request.url) else { return }
            request.compress(minimumSize: minimumSize)
        }
    }

    /// Whether no code of the app changes the request.
    var isEmpty: Bool { plugins.isEmpty && bodyTransform == nil }

    var list: [Change] {
        let preparations = plugins.map { plugin in
            Change(named: "The plugin \(type(of: plugin))") { request, call in
                let notes = request.notes
                try await plugin.adapt(&request, for: call)
                request.restore(notes)
            }
        }
        guard let bodyTransform else { return preparations }
        let encoding = Change(named: "The body transform \(type(of: bodyTransform))") { request, call in
            var notes = request.notes
            switch request.body {
            case .none: return
            case .data(let data) where data.isEmpty: return
            case .data(let data):
                notes.identity.plain = .init(data, type: request.headers["Content-Type"])
            case .file, .stream: break
            }
            try await bodyTransform.encode(&request, for: call)
            request.restore(notes)
        }
        return preparations + [encoding]
    }
}

extension RequestChanges.Change {
    /// Creates a change. If its code throws, the error contains the name.
    fileprivate init(
        named name: String, _ make: @escaping @Sendable (inout APIRequest, APICall) async throws -> Void
    ) {
        self.name = name
        self.make = { request, call in
            do {
                try await make(&request, call)
            } catch let error as CancellationError {
                throw error
            } catch let error as APIError where error.isOfNesting {
                throw error
            } catch {
                throw InvalidRequestError("\(name) threw an error: \(error)")
            }
        }
    }
}
