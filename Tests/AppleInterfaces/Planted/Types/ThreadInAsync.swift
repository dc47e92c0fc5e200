import Foundation

func isMain() async -> Bool {
    // finds: class method 'sleep' is unavailable from asynchronous contexts
    Thread.sleep(forTimeInterval: 1)
    // finds: class property 'current' is unavailable from asynchronous contexts
    _ = Thread.current
    // finds: class property 'isMainThread' is unavailable from asynchronous contexts
    return Thread.isMainThread
}
