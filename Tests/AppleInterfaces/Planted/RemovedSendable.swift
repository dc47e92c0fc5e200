// finds: stored property 'manager' of 'Sendable'-conforming struct 'Holder' has non-Sendable type 'FileManager'
import Foundation

struct Holder: Sendable {
    let manager: FileManager
}
