import Foundation

/// The rules for a host that is not the service's own: the defaults, and nothing that the service knows.
struct ForeignHost: Service {
    var baseURL = URL(fileURLWithPath: "/")
}
