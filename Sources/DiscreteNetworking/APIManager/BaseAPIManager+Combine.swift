#if canImport(Combine)
    // Combine's publishers and subjects may be used from any thread; their declarations do not say so.
    @preconcurrency import Combine

    /// For SwiftUI on iOS 15 and 16, where there is no Observation:
    ///
    /// ```swift
    /// @StateObject private var manager = ProductManager()
    /// ```
    extension BaseAPIManager: ObservableObject {
        /// Told before ``isLoading``, ``response``, ``error`` or the output changes.
        public nonisolated var objectWillChange: ObservableObjectPublisher { state.subjects.willChange }

        /// Whether a call is in flight: at once, and then whenever it changes, on the main actor.
        ///
        /// Like the other publishers of a manager it does not retain the manager, and never ends.
        public var isLoadingPublisher: AnyPublisher<Bool, Never> {
            values(of: \.isLoading).removeDuplicates().eraseToAnyPublisher()
        }

        /// Why the last call failed, `nil` after a success: at once, and then after each change of the state.
        public var errorPublisher: AnyPublisher<APIError?, Never> {
            values(of: \.value.error).removeDuplicates { $0?.requestID == $1?.requestID }
                .eraseToAnyPublisher()
        }
    }

    extension BaseAPIManager {
        /// What a part of the state is now, and after each change. Captures the state and not the manager.
        func values<Value>(of part: KeyPath<ManagerState, Value>) -> AnyPublisher<Value, Never> {
            state.subjects.didChange.prepend(()).map { [state] in state[keyPath: part] }.eraseToAnyPublisher()
        }
    }

    extension TypedAPIManager {
        /// What the last successful call brought: at once, and then after each answer, on the main actor.
        public var outputPublisher: AnyPublisher<Output?, Never> {
            values(of: \.value).removeDuplicates { $0.response?.requestID == $1.response?.requestID }
                .map { $0.output as? Output }.eraseToAnyPublisher()
        }

        /// ``load(with:ignoringCache:)`` as a publisher.
        ///
        /// ```swift
        /// manager.loadPublisher(with: ["id": 7])
        ///     .sink { completion in … } receiveValue: { product in … }
        ///     .store(in: &subscriptions)
        /// ```
        /// Each subscription makes a call, and cancelling it cancels the call. The publisher keeps the manager alive.
        /// It gives one output, on the main actor, or ends with an ``APIError``.
        /// - Parameters:
        ///   - params: the arguments; without them the param source is asked.
        ///   - ignoringCache: whether the server is asked whatever is kept; see ``BaseAPIManager/cache``.
        public func loadPublisher(
            with params: Params? = nil, ignoringCache: Bool = false
        ) -> AnyPublisher<Output, APIError> {
            Deferred { [self] in
                let answer = CurrentValueSubject<Output?, APIError>(nil)
                let task = Task { @MainActor in
                    do throws(APIError) {
                        answer.send(try await load(with: params, ignoringCache: ignoringCache))
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
