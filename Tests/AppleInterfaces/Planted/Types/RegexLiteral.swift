// watchOS 9 and visionOS 1 have it.
#if os(iOS) || os(macOS) || os(tvOS)
    func hasDigits(_ text: String) -> Bool {
        // finds: 'contains' is only available in
        // finds: 'Regex' is only available in
        text.contains(#/[0-9]+/#)
    }
#endif
