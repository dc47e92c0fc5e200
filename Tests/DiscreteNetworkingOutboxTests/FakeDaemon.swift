import Foundation

@testable import DiscreteNetworkingCore
@testable import DiscreteNetworkingOutbox

/// The system's daemon, whose tasks outlive the objects of an app. A test decides how they end.
final class FakeDaemon: Sendable {
    struct Task: Sendable {
        let order: BackgroundOrder
        /// The bytes of the file, as they were when the task was made.
        let body: Data?
        var isSuspended = true
    }

    private struct State {
        var tasks: [String: Task] = [:]
        /// All orders so far, in their order.
        var orders: [Task] = []
        var cancelled: [String] = []
        var resumed: [String] = []
        var foreign: [BackgroundTask] = []
        var resumeData: Data?
        var delegate: (any BackgroundSessionDelegate)?
        /// What happened while nobody was there.
        var unreported: [@Sendable (any BackgroundSessionDelegate) -> Void] = []
        var onMake: (@Sendable () -> Void)?
        var onResume: (@Sendable (String) -> Void)?
    }

    private let state = Locked(State())

    func session() -> any BackgroundSession { Session(daemon: self) }

    var orders: [Task] { state.withLock { $0.orders } }
    var tasks: [String] { state.withLock { $0.tasks.keys.sorted() } }
    var cancelled: [String] { state.withLock { $0.cancelled } }
    var resumed: [String] { state.withLock { $0.resumed } }

    /// Called when a task was made.
    func onMake(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onMake = body } }
    /// Called while a task is started.
    func onResume(_ body: @escaping @Sendable (String) -> Void) { state.withLock { $0.onResume = body } }
    /// What a canceled download leaves.
    func setResumeData(_ data: Data?) { state.withLock { $0.resumeData = data } }
    /// Loses all tasks, as when the user ends the app.
    func loseAll() { state.withLock { $0.tasks = [:] } }
    /// Suspends a task, as one that was made and not started.
    func suspend(_ description: String) { state.withLock { $0.tasks[description]?.isSuspended = true } }
    /// Adds a task that another part of the app has made, or that is left of an earlier start.
    func add(_ description: String?, isSuspended: Bool = false) {
        state.withLock {
            $0.foreign.append(BackgroundTask(description: description, isSuspended: isSuspended))
        }
    }

    private func report(_ event: @escaping @Sendable (any BackgroundSessionDelegate) -> Void) {
        let delegate = state.withLock { state in
            if state.delegate == nil { state.unreported.append(event) }
            return state.delegate
        }
        if let delegate { event(delegate) }
    }

    /// Ends the only task, or one of them.
    /// - Parameter file: The content of the downloaded file.
    func end(
        _ status: Int = 200, _ body: String = "", task description: String? = nil, headers: HTTPFields = [:],
        file: Data? = nil, error: Int? = nil, resumeData: Data? = nil
    ) {
        let (name, task) = state.withLock { state -> (String, Task?) in
            let name = description ?? state.tasks.keys.sorted().first ?? ""
            return (name, state.tasks.removeValue(forKey: name))
        }
        let url = task?.order.request.url ?? URL(string: "https://chat.example.com")!
        let head = TransportResponse(url: url, status: status, headers: headers)
        report { delegate in
            if let file {
                let place = FileManager.default.temporaryDirectory
                    .appendingPathComponent("daemon-\(UUID().uuidString)")
                try? file.write(to: place)
                delegate.finished(name, file: place)
                // Gone when the callback has returned.
                try? FileManager.default.removeItem(at: place)
            }
            delegate.ended(
                name,
                BackgroundEnding(
                    head: error == nil ? head : nil, body: file == nil ? Data(body.utf8) : nil,
                    errorCode: error, resumeData: resumeData))
        }
    }

    func progress(_ progress: TransferProgress) {
        guard let name = tasks.first else { return }
        report { $0.progressed(name, progress) }
    }

    func finishEvents() { report { $0.finishedEvents() } }

    private struct Session: BackgroundSession {
        let daemon: FakeDaemon

        func connect(to delegate: any BackgroundSessionDelegate) {
            let events = daemon.state.withLock { state in
                state.delegate = delegate
                defer { state.unreported = [] }
                return state.unreported
            }
            for event in events { event(delegate) }
        }

        func make(_ order: BackgroundOrder) async throws(TransportError) {
            var body: Data?
            if case .upload(let file) = order.content { body = try? Data(contentsOf: file) }
            let task = Task(order: order, body: body)
            let onMake = daemon.state.withLock { state in
                state.tasks[order.description] = task
                state.orders.append(task)
                return state.onMake
            }
            onMake?()
        }

        func resume(_ description: String) async {
            let onResume = daemon.state.withLock { state in
                state.tasks[description]?.isSuspended = false
                state.resumed.append(description)
                return state.onResume
            }
            onResume?(description)
        }

        func cancel(_ description: String) async -> Data? {
            daemon.state.withLock { state in
                state.tasks[description] = nil
                state.foreign.removeAll { $0.description == description }
                state.cancelled.append(description)
                return state.resumeData
            }
        }

        func tasks() async -> [BackgroundTask] {
            daemon.state.withLock { state in
                state.foreign
                    + state.tasks.map {
                        BackgroundTask(description: $0.key, isSuspended: $0.value.isSuspended)
                    }
            }
        }

        func close() { daemon.state.withLock { $0.delegate = nil } }
    }
}
