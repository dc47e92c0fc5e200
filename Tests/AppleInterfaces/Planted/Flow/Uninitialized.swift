import Foundation

func folder(_ isCache: Bool) -> URL {
    let url: URL
    if isCache { url = FileManager.default.temporaryDirectory }
    // finds: constant 'url' used before being initialized
    return url
}
