import Foundation

func host(of url: URL) -> String {
    // finds: value of optional type 'String?' must be unwrapped
    url.host
}
