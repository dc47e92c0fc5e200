import Foundation

struct Place: Sendable {
    // finds: stored property 'thread' of 'Sendable'-conforming struct 'Place' has non-Sendable type 'Thread'
    let thread: Thread
}
