import Foundation

final class Hidden: NSObject, URLSessionDataDelegate, Sendable {
    // finds: must be as accessible as its enclosing type
    private func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {}
}
