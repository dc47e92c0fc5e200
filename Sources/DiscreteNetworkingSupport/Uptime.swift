package import Foundation

/// A clock that no change of the date affects.
package enum Uptime {
    /// The seconds since an arbitrary point in the past, including the time that the device sleeps.
    package static var seconds: TimeInterval {
        var time = timespec()
        clock_gettime(clock, &time)
        return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9
    }

    /// On Linux, CLOCK_MONOTONIC excludes the time that the device sleeps; on Darwin it includes it.
    #if canImport(Darwin)
        private static let clock = CLOCK_MONOTONIC
    #else
        private static let clock = clockid_t(CLOCK_BOOTTIME)
    #endif
}
