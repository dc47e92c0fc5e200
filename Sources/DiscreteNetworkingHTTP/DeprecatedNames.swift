@available(*, deprecated, renamed: "InvalidRequestError")
public typealias InvalidRequest = InvalidRequestError
