#if canImport(Darwin)
    import DiscreteNetworkingCore
    import DiscreteNetworkingHTTP
    import DiscreteNetworkingSupport
    import Foundation

    /// The tasks of a background `URLSession`.
    final class BackgroundURLSession: BackgroundSession {
        private let makeConfiguration: @Sendable () -> URLSessionConfiguration
        private let session = Locked<URLSession?>(nil)
        /// Tasks that were made and not started: the session has nobody else who keeps them.
        private let made = Locked<[String: URLSessionTask]>([:])

        init(identifier: String, sharedContainer: String?, isDiscretionary: Bool, timeout: TimeInterval) {
            makeConfiguration = {
                let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
                configuration.sharedContainerIdentifier = sharedContainer
                configuration.isDiscretionary = isDiscretionary
                configuration.timeoutIntervalForResource = timeout
                // The framework has cookies, credentials and caches of its own.
                configuration.httpCookieStorage = nil
                configuration.httpShouldSetCookies = false
                configuration.urlCredentialStorage = nil
                configuration.urlCache = nil
                return configuration
            }
        }

        func connect(to delegate: any BackgroundSessionDelegate) {
            session.current = URLSession(
                configuration: makeConfiguration(), delegate: BackgroundURLSessionEvents(delegate),
                delegateQueue: nil)
        }

        func make(_ order: BackgroundOrder) async throws(TransportError) {
            guard let session = session.current else { throw .exchangeCancelled }
            var request = order.request
            // The body is a file, and so is what is downloaded.
            request.body = .none
            request.destination = .stream
            let configuration = session.configuration
            let system = try URLRequest(request, idleTimeout: configuration.timeoutIntervalForRequest)
            let task: URLSessionTask =
                switch order.content {
                case .upload(let file): session.uploadTask(with: system, fromFile: file)
                case .download: session.downloadTask(with: system)
                case .resume(let data): session.downloadTask(withResumeData: data)
                }
            task.taskDescription = order.description
            made.withLock { $0[order.description] = task }
        }

        func resume(_ description: String) async { await task(description)?.resume() }

        func cancel(_ description: String) async -> Data? {
            guard let task = await task(description) else { return nil }
            guard let download = task as? URLSessionDownloadTask else {
                task.cancel()
                return nil
            }
            return await download.cancelByProducingResumeData()
        }

        func tasks() async -> [BackgroundTask] {
            guard let session = session.current else { return [] }
            return await session.allTasks.compactMap { task in
                guard task.state != .completed, task.state != .canceling else { return nil }
                return BackgroundTask(
                    description: task.taskDescription, isSuspended: task.state == .suspended)
            }
        }

        private func task(_ description: String) async -> URLSessionTask? {
            if let task = made.withLock({ $0.removeValue(forKey: description) }) { return task }
            return await session.current?.allTasks.first { $0.taskDescription == description }
        }

        func close() { session.current?.finishTasksAndInvalidate() }
    }

    /// Hands on what a background `URLSession` reports. Redirects are not reported: the system follows them.
    private final class BackgroundURLSessionEvents: NSObject, URLSessionDataDelegate,
        URLSessionDownloadDelegate
    {
        /// The maximum size of the response to an upload, in bytes.
        private static let limit = 64 << 20

        private let delegate: any BackgroundSessionDelegate
        private let bodies = Locked<[Int: Data]>([:])

        init(_ delegate: any BackgroundSessionDelegate) { self.delegate = delegate }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
            totalBytesSent: Int64, totalBytesExpectedToSend: Int64
        ) {
            var progress = TransferProgress()
            progress.sent = totalBytesSent
            progress.expectedToSend = totalBytesExpectedToSend < 0 ? nil : totalBytesExpectedToSend
            delegate.progressed(task.taskDescription ?? "", progress)
        }

        func urlSession(
            _ session: URLSession, downloadTask: URLSessionDownloadTask, didWriteData bytesWritten: Int64,
            totalBytesWritten: Int64, totalBytesExpectedToWrite: Int64
        ) {
            var progress = TransferProgress()
            progress.received = totalBytesWritten
            progress.expectedToReceive = totalBytesExpectedToWrite < 0 ? nil : totalBytesExpectedToWrite
            delegate.progressed(downloadTask.taskDescription ?? "", progress)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            bodies.withLock { bodies in
                let count = bodies[dataTask.taskIdentifier, default: Data()].count
                bodies[dataTask.taskIdentifier, default: Data()] += data.prefix(
                    max(0, Self.limit + 1 - count))
            }
        }

        func urlSession(
            _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
        ) {
            delegate.finished(downloadTask.taskDescription ?? "", file: location)
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
        ) {
            let error = error as NSError?
            var ending = BackgroundEnding()
            ending.body = bodies.withLock { $0.removeValue(forKey: task.taskIdentifier) }
            if let response = task.response as? HTTPURLResponse,
                let url = task.originalRequest?.url ?? response.url
            {
                ending.head = TransportResponse(head: response, of: url)
            }
            ending.errorCode = error.map { $0.domain == NSURLErrorDomain ? $0.code : NSURLErrorUnknown }
            ending.resumeData = error?.userInfo[NSURLSessionDownloadTaskResumeData] as? Data
            delegate.ended(task.taskDescription ?? "", ending)
        }

        func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {
            delegate.finishedEvents()
        }
    }
#endif
