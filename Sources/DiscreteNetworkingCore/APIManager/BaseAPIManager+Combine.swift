#if canImport(Combine)
    // `@preconcurrency`: publishers and subjects are thread-safe, but not declared `Sendable`.
    @preconcurrency public import Combine

    /// Combine support, for SwiftUI on iOS 15 and 16, which lack Observation:
    ///
    /// ```swift
    /// @StateObject private var manager = ProductManager()
    /// ```
    extension BaseAPIManager: ObservableObject {
        /// Emits before ``isLoading``, ``response``, ``error`` or the output changes.
        public nonisolated var objectWillChange: ObservableObjectPublisher { state.subjects.willChange }

        /// Publishes whether a call is in flight: the current value, then each change, on the main actor.
        ///
        /// Like the manager's other publishers, it does not retain the manager and never completes.
        public var isLoadingPublisher: AnyPublisher<Bool, Never> {
            values(of: \.isLoading).removeDuplicates().eraseToAnyPublisher()
        }

        /// Publishes why the last call failed, `nil` after a success: the current value, then each change.
        public var errorPublisher: AnyPublisher<APIError?, Never> {
            values(of: \.value.error).removeDuplicates { $0?.requestID == $1?.requestID }
                .eraseToAnyPublisher()
        }
    }

    extension BaseAPIManager {
        /// Publishes a part of the state: the current value, then each change. Captures the state, not the
        /// manager.
        func values<Value>(of part: KeyPath<ManagerState, Value>) -> AnyPublisher<Value, Never> {
            state.subjects.didChange.prepend(()).map { [state] in state[keyPath: part] }.eraseToAnyPublisher()
        }
    }

    extension TypedAPIManager {
        /// Publishes the output of the last successful call: the current value, then each new output, on
        /// the main actor.
        public var outputPublisher: AnyPublisher<Output?, Never> {
            values(of: \.value).removeDuplicates { $0.response?.requestID == $1.response?.requestID }
                .map { $0.output as? Output }.eraseToAnyPublisher()
        }

        /// Returns a publisher for ``load(with:ignoringCache:)``.
        ///
        /// ```swift
        /// manager.loadPublisher(with: ["id": 7])
        ///     .sink { print($0) } receiveValue: { show($0) }
        ///     .store(in: &subscriptions)
        /// ```
        ///
        /// Each subscription starts a call, and canceling it cancels the call. The publisher retains the
        /// manager. It emits one output on the main actor and finishes, or fails with an ``APIError``.
        /// - Parameters:
        ///   - params: The arguments; `nil` to call the param source.
        ///   - ignoringCache: Whether to bypass cached responses; see ``BaseAPIManager/cachePolicy``.
        public func loadPublisher(
            with params: Params? = nil, ignoringCache: Bool = false
        ) -> AnyPublisher<Output, APIError> {
            Deferred { [self] in
                let answer = CurrentValueSubject<Output?, APIError>(nil)
                // The call is for the user of the subscription.
                let users = UserWork()
                let task = Task { @MainActor in
                    defer { users.end() }
                    do throws(APIError) {
                        let output = try await users.run { () async throws(APIError) in
                            try await load(with: params, ignoringCache: ignoringCache)
                        }
                        answer.send(output)
                        answer.send(completion: .finished)
                    } catch {
                        answer.send(completion: .failure(error))
                    }
                }
                return answer.compactMap { $0 }.handleEvents(receiveCancel: { task.cancel() })
            }.eraseToAnyPublisher()
        }
    }
#endif
