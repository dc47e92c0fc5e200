#if os(iOS) && !targetEnvironment(simulator)
    import UIKit

    @MainActor
    func app() -> UIApplication {
        // finds: 'shared' is unavailable in application extensions for iOS
        UIApplication.shared
    }
#endif
