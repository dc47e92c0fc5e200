import Foundation

func name(of path: URLSession.ResponseDisposition) -> String {
    // finds: switch must be exhaustive
    switch path {
    case .cancel: "cancel"
    case .allow: "allow"
    }
}
