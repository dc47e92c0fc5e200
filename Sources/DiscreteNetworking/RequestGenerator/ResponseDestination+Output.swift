extension APICall {
    /// Returns the destination of the response body, which depends on the manager's output.
    func destination(limit: Int) throws(InvalidRequestError) -> ResponseDestination {
        if outputType == ByteStream.self { return .stream }
        if let type = (outputType as? any OptionalOutput.Type)?.wrapped,
            type == ByteStream.self || type == DownloadedFile.self
        {
            throw InvalidRequestError("A file or stream has no optional; make the output \(type).")
        }
        guard let download = overrides.download else { return .memory(limit: limit) }
        guard outputType == DownloadedFile.self else {
            throw InvalidRequestError(
                "\(managerType) sets a download destination, but its output is \(outputType); make the output DownloadedFile."
            )
        }
        try download.checksum?.validate()
        return .file(download.destination)
    }
}

extension ResponseDestination {
    func isSameKind(as other: ResponseDestination) -> Bool {
        switch (self, other) {
        case (.memory, .memory), (.file, .file), (.stream, .stream): true
        default: false
        }
    }
}
