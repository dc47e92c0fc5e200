// watchOS 9 and visionOS 1 have it.
#if os(iOS) || os(macOS) || os(tvOS)
    func isNumbers(_ value: Any) -> Bool {
        // finds: runtime support for parameterized protocol types is only available in
        value is any Collection<Int>
    }
#endif
