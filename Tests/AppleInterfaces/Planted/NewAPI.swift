// finds, but not on visionOS 1, which has it: 'init(filePath:)' is only available in
import Foundation

func folder() -> URL { URL(filePath: "/tmp") }
