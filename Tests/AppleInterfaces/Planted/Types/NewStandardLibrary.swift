// watchOS 9 and visionOS 1 have it.
#if os(iOS) || os(macOS) || os(tvOS)
    func withoutDashes(_ text: String) -> String {
        // finds: 'replacing(_:with:maxReplacements:)' is only available in
        text.replacing("-", with: "")
    }
#endif
