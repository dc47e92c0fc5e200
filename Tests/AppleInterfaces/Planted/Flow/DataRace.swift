import Foundation

final class Counter {
    var count = 0
}

@MainActor
func race() async {
    let counter = Counter()
    // finds: risks causing data races
    Task.detached { counter.count += 1 }
    counter.count += 1
}
