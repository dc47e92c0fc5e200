// finds: risks causing data races
import Foundation

final class Counter {
    var count = 0
}

@MainActor
func race(on queue: DispatchQueue) async {
    let counter = Counter()
    Task.detached { counter.count += 1 }
    counter.count += 1
}
