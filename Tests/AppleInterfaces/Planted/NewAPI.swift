// finds: 'init(filePath:)' is only available in
import Foundation

func folder() -> URL { URL(filePath: "/tmp") }
