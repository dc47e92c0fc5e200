// watchOS 9 and visionOS 1 have it.
#if os(iOS) || os(macOS) || os(tvOS)
    func pause() async throws {
        // finds: 'sleep(for:tolerance:clock:)' is only available in
        // finds: 'seconds' is only available in
        try await Task.sleep(for: .seconds(1))
    }
#endif
