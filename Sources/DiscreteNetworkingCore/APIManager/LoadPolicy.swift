public import Foundation

/// What happens to a call that starts while the manager is loading.
public enum LoadPolicy: Sendable, Hashable {
    /// Both calls are sent.
    case concurrent
    /// A call that would send the same request as one in flight joins it, with the same ID and outcome. A
    /// call with other params, headers or encoding is sent.
    case ignoreNew
    /// Calls in flight are canceled.
    case cancelPrevious
    /// Calls in flight are canceled, and the new call waits for a time in seconds; for example for a search
    /// field.
    case debounce(TimeInterval)
}

extension APICall {
    /// Whether another call of the same manager would send the same request and use the same cache. Values
    /// that cannot be compared, such as closures and encodings that are not `Equatable`, count as
    /// different.
    func isEqual(to other: APICall) -> Bool {
        let encodings = (overrides.encoding, other.overrides.encoding)
        return serviceIdentifier == other.serviceIdentifier && methodName == other.methodName
            && requestType == other.requestType && params == other.params
            && overrides.headers == other.overrides.headers && overrides.url == other.overrides.url
            && isSample == other.isSample
            && overrides.usesSession == other.overrides.usesSession
            && ignoresCache == other.ignoresCache
            && overrides.deadline == other.overrides.deadline
            && overrides.deadlineScope === other.overrides.deadlineScope
            && Download.isEqual(overrides.download, other.overrides.download)
            && (encodings.0.map { one in encodings.1.map(one.isEqual) ?? false } ?? (encodings.1 == nil))
    }
}

extension Download {
    /// Temporary files are interchangeable, unless a closure names them: each call creates its own.
    fileprivate static func isEqual(_ one: Download?, _ other: Download?) -> Bool {
        guard let one, let other, one.isTemporary, other.isTemporary, one.choose == nil,
            other.choose == nil
        else { return one == other }
        return one.checksum == other.checksum
    }
}

extension ParamEncoding {
    /// Whether both encodings write the same output for the same params.
    fileprivate func isEqual(to other: any ParamEncoding) -> Bool {
        switch (self, other) {
        case (let one as RawParamEncoding, let other as RawParamEncoding):
            one.contentType == other.contentType && one.encoder == other.encoder
                && one.body.isEqual(to: other.body)
        case (let one as SplitParamEncoding, let other as SplitParamEncoding):
            one.names == other.names && one.query == other.query && one.rest.isEqual(to: other.rest)
        case (let one as MultipartParamEncoding, let other as MultipartParamEncoding):
            // Ignores the boundary, which is unique to each form.
            one.encoder == other.encoder
                && one.form.parts.elementsEqual(other.form.parts) { one, other in
                    one.name == other.name && one.fileName == other.fileName
                        && one.contentType == other.contentType && one.body.isEqual(to: other.body)
                }
        default: (self as? any Equatable)?.isEqual(to: other) ?? false
        }
    }
}

extension RequestBody {
    fileprivate func isEqual(to other: RequestBody) -> Bool {
        switch (self, other) {
        case (.none, .none): true
        case (.data(let one), .data(let other)): one == other
        case (.file(let one), .file(let other)): one == other
        default: false
        }
    }
}

extension Equatable {
    fileprivate func isEqual(to other: any ParamEncoding) -> Bool { other as? Self == self }
}
