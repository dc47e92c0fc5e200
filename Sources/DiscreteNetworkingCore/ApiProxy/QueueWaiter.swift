/// A call that waits in a queue for what the queue gives, such as a slot or a permit.
package protocol QueueWaiter: AnyObject, Sendable {
    associatedtype Pass: Sendable
    var promise: Promise<Pass?> { get }
    /// Leaves the queue. Has no effect if the call has its pass.
    func leave()
}

extension QueueWaiter {
    /// What the queue gives, as soon as there is one; `nil` if the task is canceled before.
    package var pass: Pass? {
        get async {
            await withTaskCancellationHandler {
                await promise.value
            } onCancel: {
                cancel()
            }
        }
    }

    /// Waits no longer.
    package func cancel() {
        leave()
        promise.fulfil(nil)
    }
}
