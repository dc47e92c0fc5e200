/// The name of ``InvalidRequestError`` in version 0.1.
@available(*, deprecated, renamed: "InvalidRequestError")
public typealias InvalidRequest = InvalidRequestError
