#if os(iOS)
    import UIKit

    @MainActor
    func app() -> UIApplication {
        // finds: 'shared' is unavailable in application extensions for iOS
        UIApplication.shared
    }
#endif
