import Foundation

final class Misspelt: NSObject, URLSessionDataDelegate, Sendable {
    // finds: nearly matches optional requirement 'urlSession(_:dataTask:didReceive:)'
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didRecieve data: Data) {}
}
