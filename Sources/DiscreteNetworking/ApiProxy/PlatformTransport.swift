/// The transport that ``ApiProxy`` has where it is given none, for the package's other targets to wrap.
package enum PlatformTransport {
    package static func make() -> any Transport { StandardTransport.make() }
}
