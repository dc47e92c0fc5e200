import Foundation

func wait(for semaphore: DispatchSemaphore, and group: DispatchGroup) async {
    // finds: instance method 'wait' is unavailable from asynchronous contexts
    semaphore.wait()
    // finds: instance method 'wait' is unavailable from asynchronous contexts
    group.wait()
}
