import Foundation

/// A parser of bytes that somebody else has made, and what has to hold whatever they are.
///
/// libFuzzer looks for bytes that break it (`.ci/fuzz`), and the tests of this package repeat the corpus.
/// Bytes that broke something once stay in the corpus.
struct FuzzTarget: Sendable {
    /// The name of its folder in the corpus.
    let name: String
    /// Throws ``FuzzFailure`` where something does not hold, and traps where the parser does.
    let run: @Sendable (Data) throws -> Void

    static let all: [FuzzTarget] = [
        json, decoding, envelope, tokenAnswer, events, fields, head, redaction, forms, pem, cacheFile,
        credential, resumePoint, cassette, contract, contentCoding, cookies,
        outboxEntry, transferRecord, transferResult,
    ]
}

struct FuzzFailure: Error, CustomStringConvertible {
    let description: String
}

func expect(_ holds: Bool, _ message: @autoclosure () -> String) throws {
    if !holds { throw FuzzFailure(description: message()) }
}
