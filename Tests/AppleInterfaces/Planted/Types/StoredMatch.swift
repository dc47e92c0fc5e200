import Foundation

struct Match: Sendable {
    // finds: stored property 'result' of 'Sendable'-conforming struct 'Match' has non-Sendable type 'NSTextCheckingResult'
    let result: NSTextCheckingResult
    let date: NSDate
}
