import Foundation

func archive(_ url: URL) -> URL {
    // finds: extraneous argument label 'extension:' in call
    url.appendingPathExtension(extension: "zip")
}
