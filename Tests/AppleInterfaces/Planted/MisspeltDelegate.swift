// finds: nearly matches optional requirement 'urlSession(_:dataTask:didReceive:)'
import Foundation

final class Listener: NSObject, URLSessionDataDelegate, Sendable {
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didRecieve data: Data) {}
}
