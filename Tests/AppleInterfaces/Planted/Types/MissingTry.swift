import Foundation

func read(at url: URL) throws -> Data {
    // finds: call can throw but is not marked with 'try'
    Data(contentsOf: url)
}
