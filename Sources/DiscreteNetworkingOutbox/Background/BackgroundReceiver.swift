import DiscreteNetworkingCore
import DiscreteNetworkingSupport
import Foundation

/// Writes down what a ``BackgroundSession`` reports, before it returns, and hands it on in the same order.
final class BackgroundReceiver: BackgroundSessionDelegate {
    enum Event: Sendable {
        case ended(TaskName, TaskResult, resumeData: Data?)
        case storageFailed(CredentialStoreError)
        case finishedEvents
    }

    let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let folder: BackgroundFolder
    /// What became of the files of downloads, until their tasks have ended: `nil` for those in the folder.
    private let files = Locked<[TaskName: String?]>([:])
    private let observers = Locked<[UUID: @Sendable (TransferProgress) -> Void]>([:])

    init(_ folder: BackgroundFolder) {
        self.folder = folder
        (events, continuation) = AsyncStream.makeStream()
    }

    deinit { continuation.finish() }

    /// - Parameter observer: Receives the progress of a task; `nil` for none.
    func observe(_ task: UUID, _ observer: (@Sendable (TransferProgress) -> Void)?) {
        observers.withLock { $0[task] = observer }
    }

    func progressed(_ description: String, _ progress: TransferProgress) {
        guard let name = TaskName(description) else { return }
        observers.withLock { $0[name.task] }?(progress)
    }

    func finished(_ description: String, file: URL) {
        guard let name = TaskName(description) else { return }
        do {
            try folder.take(file, of: name.task)
            files.withLock { $0[name] = .some(nil) }
        } catch {
            files.withLock {
                $0[name] = "The downloaded file cannot be moved into the folder of the transfers."
            }
        }
    }

    func ended(_ description: String, _ ending: BackgroundEnding) {
        guard let name = TaskName(description) else { return }
        let file = files.withLock { $0.removeValue(forKey: name) }
        var result = TaskResult(name, ending, hasFile: file != nil)
        if let file, let problem = file { result.problem = problem }
        do throws(CredentialStoreError) {
            try folder.write(result)
        } catch {
            continuation.yield(.storageFailed(error))
        }
        observe(name.task, nil)
        continuation.yield(.ended(name, result, resumeData: ending.resumeData))
    }

    func finishedEvents() { continuation.yield(.finishedEvents) }
}
