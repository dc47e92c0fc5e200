/// What a response means to a download.
enum RangeResponse {
    /// The body is all of the file.
    case whole
    /// The body is what stands at these places of a file of so many bytes.
    case part(ClosedRange<Int64>, total: Int64?)
    /// What is there is all of the file.
    case complete
    /// What is there is of no use; the whole has to be asked for.
    case again

    /// - Parameters:
    ///   - point: what the request named to get the rest; `nil` where it asked for the whole.
    ///   - offset: how many bytes are there.
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
