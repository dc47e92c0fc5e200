/// Creates the default transport of ``ApiProxy``, for other targets of the package to wrap.
package enum PlatformTransport {
    package static func make() -> any Transport { StandardTransport.make() }
}
