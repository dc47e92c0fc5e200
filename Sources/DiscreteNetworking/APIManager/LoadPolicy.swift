import Foundation

/// What happens to a call made while the manager already loads.
public enum LoadPolicy: Sendable, Hashable {
    /// Both go out.
    case concurrent
    /// A call that would send the same as one in flight is not sent: it gets the number and the answer of that one.
    /// A call with other params, headers or encoding goes out beside it.
    case ignoreNew
    /// The ones in flight are cancelled first.
    case cancelPrevious
    /// The ones in flight are cancelled first, and it waits for so many seconds before it goes out: for a search
    /// field, where the next letter may come soon.
    case debounce(TimeInterval)
}

extension APICall {
    /// Whether another call of the same manager would send the same request and use the same caches. What cannot be
    /// compared, such as the closure of a stream or an encoding that is not `Equatable`, counts as different.
    func isEqual(to other: APICall) -> Bool {
        let encodings = (overrides.encoding, other.overrides.encoding)
        return serviceIdentifier == other.serviceIdentifier && methodName == other.methodName
            && requestType == other.requestType && params == other.params
            && overrides.headers == other.overrides.headers
            && overrides.usesSession == other.overrides.usesSession
            && overrides.ignoresCache == other.overrides.ignoresCache
            && Download.isEqual(overrides.download, other.overrides.download)
            && (encodings.0.map { one in encodings.1.map(one.isEqual) ?? false } ?? (encodings.1 == nil))
    }
}

extension Download {
    /// Temporary files are interchangeable: each call makes a name of its own.
    fileprivate static func isEqual(_ one: Download?, _ other: Download?) -> Bool {
        guard let one, let other, one.isTemporary, other.isTemporary else { return one == other }
        return one.checksum == other.checksum
    }
}

extension ParamEncoding {
    /// Whether both write the same for the same params.
    fileprivate func isEqual(to other: any ParamEncoding) -> Bool {
        switch (self, other) {
        case (let one as RawParamEncoding, let other as RawParamEncoding):
            one.contentType == other.contentType && one.encoder == other.encoder
                && one.body.isEqual(to: other.body)
        case (let one as SplitParamEncoding, let other as SplitParamEncoding):
            one.names == other.names && one.query == other.query && one.rest.isEqual(to: other.rest)
        case (let one as MultipartParamEncoding, let other as MultipartParamEncoding):
            // The boundary is another one for each form.
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
