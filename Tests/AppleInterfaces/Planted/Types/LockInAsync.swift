import Foundation

func count(_ lock: NSLock) async {
    // finds: instance method 'lock' is unavailable from asynchronous contexts
    lock.lock()
    // finds: instance method 'unlock' is unavailable from asynchronous contexts
    lock.unlock()
}
