import DiscreteNetworkingCore

/// The meaning of a response for a resumed download.
enum RangeResponse {
    /// The body is the complete file.
    case whole
    /// The body is a range of a file with a total length.
    case part(ClosedRange<Int64>, total: Int64?)
    /// The existing data is the complete file.
    case complete
    /// The existing data cannot be resumed; request the complete file.
    case again

    /// - Parameters:
    ///   - point: The metadata of the range request; `nil` if the complete file was requested.
    ///   - offset: The number of existing bytes.
    init(_ response: TransportResponse, to point: ResumePoint?, at offset: Int64) {
        let range = ContentRange(response.headers["Content-Range"])
        switch (response.status, point) {
        case (206, let point?):
            guard let range, let bounds = range.bounds, bounds.lowerBound == offset, !response.isEncoded,
                point.continues(with: range, response.headers)
            else {
                self = .again
                return
            }
            self = .part(bounds, total: range.total ?? point.total)
        case (416, let point?):
            let isComplete = range?.total == offset && point.total ?? offset == offset
            self = isComplete ? .complete : .again
        default: self = .whole
        }
    }
}
