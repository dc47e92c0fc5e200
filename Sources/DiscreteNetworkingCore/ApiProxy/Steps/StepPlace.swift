/// Where a step may stand, the outermost first. A step says its place, and nothing here knows who stands there.
package enum StepPlace: Int, CaseIterable {
    // Once a call.

    /// The time of the whole call.
    case deadline
    /// A wait before the call.
    case delay
    /// An output in place of the error that ends the call.
    case recovery
    /// What the outcome changes elsewhere.
    case change
    /// A cached response in place of the server's.
    case storedResponse
    /// Begins each attempt, and encloses the steps below.
    case attempts

    // Once an attempt.

    /// What the app says of the output.
    case validation
    /// Whether the app has degraded the endpoint.
    case degradation
    /// Whether the endpoint may be called now.
    case admission
    /// The host that is called.
    case host
    /// The tokens of the user.
    case session
    /// The coding of the body.
    case coding
    /// A token against forged requests.
    case protection
    /// Builds the request.
    case request
    /// Makes it conditional. From here to the slot, a request may still be changed.
    case condition
    /// A network that the call may use.
    case network
    /// The call joins another one, if it can.
    case joining
    /// The calls of a period.
    case rate
    /// The calls at the same time.
    case slot
    /// The call is about to be sent.
    case departure
    /// A file or a stream, with all that is below.
    case transfer
    /// Makes an output of the response.
    case reading
    /// An exchange that several calls share.
    case sharing
    /// Sends the request, and receives the response.
    case exchange
}
