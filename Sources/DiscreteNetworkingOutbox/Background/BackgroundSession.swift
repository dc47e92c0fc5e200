package import DiscreteNetworkingCore
package import Foundation

/// What transfers data while the app does not run: a background `URLSession` on Apple platforms, a fake in tests.
///
/// A task is named by its description, which survives the app.
package protocol BackgroundSession: Sendable {
    /// Begins to report to a delegate, beginning with what happened before. Called once.
    func connect(to delegate: any BackgroundSessionDelegate)
    /// Makes a task that is suspended.
    func make(_ order: BackgroundOrder) async throws(TransportError)
    /// Starts a suspended task.
    func resume(_ description: String) async
    /// Cancels a task.
    /// - Returns: What a later download can go on with; `nil` if there is nothing.
    @discardableResult
    func cancel(_ description: String) async -> Data?
    /// Returns the tasks that have not ended.
    func tasks() async -> [BackgroundTask]
    /// Stops reporting, and leaves the tasks running.
    func close()
}

/// Receives what happens to the tasks of a ``BackgroundSession``, on any thread, one after the other.
package protocol BackgroundSessionDelegate: AnyObject, Sendable {
    func progressed(_ description: String, _ progress: TransferProgress)
    /// A download has ended. The file is gone when this returns.
    func finished(_ description: String, file: URL)
    /// A task has ended.
    func ended(_ description: String, _ ending: BackgroundEnding)
    /// All that happened while the app did not run has been reported.
    func finishedEvents()
}

/// A task to be made.
package struct BackgroundOrder: Sendable {
    package enum Content: Sendable {
        /// Sends the file.
        case upload(URL)
        case download
        /// Goes on with an earlier download.
        case resume(Data)
    }

    package let description: String
    package let request: APIRequest
    package let content: Content
}

/// A task that has not ended.
package struct BackgroundTask: Sendable, Hashable {
    /// `nil` if another part of the app has made it.
    package let description: String?
    package let isSuspended: Bool

    package init(description: String?, isSuspended: Bool) {
        self.description = description
        self.isSuspended = isSuspended
    }
}

/// How a task has ended.
package struct BackgroundEnding: Sendable {
    /// The head of the response, after redirects; `nil` if there was none.
    package var head: TransportResponse?
    /// The body of the response, unless it is a file.
    package var body: Data?
    /// The code of `NSURLErrorDomain`; `nil` if the response is complete.
    package var errorCode: Int?
    /// What a later download can go on with.
    package var resumeData: Data?

    package init(
        head: TransportResponse? = nil, body: Data? = nil, errorCode: Int? = nil, resumeData: Data? = nil
    ) {
        self.head = head
        self.body = body
        self.errorCode = errorCode
        self.resumeData = resumeData
    }
}
