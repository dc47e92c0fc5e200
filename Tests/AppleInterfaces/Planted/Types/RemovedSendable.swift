import Foundation

struct Holder: Sendable {
    // finds: stored property 'manager' of 'Sendable'-conforming struct 'Holder' has non-Sendable type 'FileManager'
    let manager: FileManager
}
