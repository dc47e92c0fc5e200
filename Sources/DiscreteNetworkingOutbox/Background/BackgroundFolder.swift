import DiscreteNetworkingCore
import DiscreteNetworkingSupport
import Foundation

/// The folder of background transfers: a record a transfer, and the bodies, results and files of its tasks.
///
/// The methods that return without waiting are for callbacks of the system: it removes its files when a callback
/// returns.
final class BackgroundFolder: Sendable {
    let url: URL
    private let isExcludedFromBackup: Bool
    private let disk = DiskQueue("background")

    init(_ url: URL, isExcludedFromBackup: Bool) {
        self.url = url
        self.isExcludedFromBackup = isExcludedFromBackup
    }

    /// Makes the folder, and becomes its only user.
    /// - Returns: `nil` if there is another one.
    func lock() throws(CredentialStoreError) -> CredentialLock? {
        let folder = try PrivateFolder.kept(at: url, isExcludedFromBackup: isExcludedFromBackup)
        guard let lock = try folder.tryLock("lock") else { return nil }
        // Writes that a killed process did not finish. Nobody else writes yet: later, they would be those of this process.
        let unfinished = try folder.names().filter { $0.hasSuffix(".new") }
        if !unfinished.isEmpty { try folder.remove(unfinished) }
        return lock
    }

    // MARK: Records

    /// A record that was found, by the ID in its name.
    struct Found: Sendable {
        let id: UUID
        let content: RecordFile<TransferRecord>.Content
    }

    func records() async throws(CredentialStoreError) -> [Found] {
        try await disk.run { () throws(CredentialStoreError) in
            let folder = try PrivateFolder.made(at: self.url)
            var found: [Found] = []
            for name in try folder.names().sorted()
            where name.hasSuffix(TransferRecord.suffix) && folder.isRegular(name) {
                folder.makePrivate(name)
                guard let id = UUID(uuidString: String(name.dropLast(TransferRecord.suffix.count))),
                    let data = try folder.read(name, limit: EntryFile.limit)
                else { continue }
                found.append(Found(id: id, content: RecordFile.decode(data, name: name)))
            }
            return found
        }
    }

    func write(_ record: TransferRecord) async throws(CredentialStoreError) {
        try await disk.run { () throws(CredentialStoreError) in
            let folder = try PrivateFolder.made(at: self.url)
            try folder.replace(record.fileName, with: try RecordFile.checked(record))
        }
    }

    /// Removes a transfer, the record first: what may be left without it is removed by ``tidy(_:)``.
    func remove(_ id: UUID, task: UUID?) async throws(CredentialStoreError) {
        try await disk.run { () throws(CredentialStoreError) in
            let folder = try PrivateFolder.made(at: self.url)
            try folder.remove([TransferRecord.fileName(id)])
            if let task { try folder.remove(Self.names(of: task)) }
        }
    }

    /// Removes the files of a task.
    func remove(task: UUID) async {
        await disk.run { try? PrivateFolder.made(at: self.url).remove(Self.names(of: task)) }
    }

    private static func names(of task: UUID) -> [String] {
        [TaskResult.fileName(task), TaskResult.downloadName(task), TaskResult.bodyName(task)]
    }

    /// Removes what no transfer needs: files of tasks that no record names, and old resume data.
    /// - Parameter tasks: The tasks of all records.
    func tidy(_ tasks: Set<UUID>) async {
        await disk.run {
            guard let folder = try? PrivateFolder.made(at: self.url), let names = try? folder.names() else {
                return
            }
            let suffixes = [TaskResult.suffix, ".download", ".body"]
            let old = names.filter { name in
                if name.hasSuffix(".resume") { return folder.isOlder(name, than: 7 * 86_400) }
                guard suffixes.contains(where: { name.hasSuffix($0) }) else { return false }
                let task = name.split(separator: ".").first.flatMap { UUID(uuidString: String($0)) }
                return task.map { !tasks.contains($0) } ?? false
            }
            if !old.isEmpty { try? folder.remove(old) }
        }
    }

    // MARK: Bodies

    /// Puts a body into a file of the folder, which is on the disk when this returns.
    func keep(_ body: RequestBody, of task: UUID) async throws(TransportError) -> URL {
        let place = url.appendingPathComponent(TaskResult.bodyName(task))
        switch body {
        case .none, .data:
            let data = if case .data(let data) = body { data } else { Data() }
            do throws(CredentialStoreError) {
                try await disk.run { () throws(CredentialStoreError) in
                    try PrivateFolder.made(at: self.url).replace(place.lastPathComponent, with: data)
                }
            } catch {
                throw TransportError(.bodyUnavailable, message: "The body cannot be kept: \(error)")
            }
        case .file(let source):
            try await disk.run { () throws(TransportError) in try Self.copy(source, to: place) }
        case .stream(let length, _): try await spool(body.pieces, length, to: place)
        }
        return place
    }

    /// Writes a stream, such as a form with files, into a file: the system reads nothing else while the app does not run.
    private func spool(
        _ pieces: AsyncThrowingStream<Data, any Error>, _ length: Int64?, to place: URL
    ) async throws(TransportError) {
        var count: Int64 = 0
        do {
            try await disk.run {
                try Data().write(to: place)
                try Self.secure(place)
            }
            while let piece = try await pieces.next() {
                count += Int64(piece.count)
                try await disk.run {
                    let handle = try FileHandle(forWritingTo: place)
                    defer { try? handle.close() }
                    try handle.seekToEnd()
                    try handle.write(contentsOf: piece)
                }
            }
            try await disk.run { try Self.secure(place) }
        } catch is CancellationError {
            throw .exchangeCancelled
        } catch {
            // The error's text is omitted: it may contain a secret.
            throw TransportError(
                .bodyUnavailable, message: "The body cannot be written to a file (\(type(of: error))).")
        }
        guard count == length ?? count else {
            throw TransportError(
                .bodyUnavailable, message: "The body has \(count) bytes instead of \(length ?? 0).")
        }
    }

    /// A clone, where the file system has those: later changes of the app's file are not sent.
    private static func copy(_ source: URL, to place: URL) throws(TransportError) {
        do {
            try? FileManager.default.removeItem(at: place)
            try FileManager.default.copyItem(at: source.resolvingSymlinksInPath(), to: place)
            try secure(place)
        } catch {
            throw TransportError(
                .bodyUnavailable,
                message: "The file \(source.lastPathComponent) cannot be copied for the transfer.")
        }
    }

    /// Makes a file private, and puts it on the disk.
    private static func secure(_ file: URL) throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        let handle = try FileHandle(forUpdating: file)
        defer { try? handle.close() }
        try handle.synchronize()
    }

    // MARK: Results

    /// Moves the file of a download into the folder.
    func take(_ file: URL, of task: UUID) throws {
        let place = url.appendingPathComponent(TaskResult.downloadName(task))
        try? FileManager.default.removeItem(at: place)
        try FileManager.default.moveItem(at: file, to: place)
        try Self.secure(place)
    }

    func file(of task: UUID) -> URL { url.appendingPathComponent(TaskResult.downloadName(task)) }

    /// Writes a result.
    func write(_ result: TaskResult) throws(CredentialStoreError) {
        let folder = try PrivateFolder.made(at: url)
        try folder.replace(result.fileName, with: try RecordFile.checked(result))
    }

    /// Returns the result of a task; `nil` if there is none that can be read.
    func result(of task: UUID) async -> TaskResult? {
        await disk.run {
            let name = TaskResult.fileName(task)
            guard let folder = try? PrivateFolder.made(at: self.url),
                let data = try? folder.read(name, limit: EntryFile.limit),
                case .entry(let result) = RecordFile<TaskResult>.decode(data, name: name)
            else { return nil }
            return result
        }
    }

    // MARK: Resume data

    func resumeData(_ name: String) async -> Data? {
        await disk.run {
            (try? PrivateFolder.made(at: self.url).read(name, limit: EntryFile.limit)).flatMap { $0 }
        }
    }

    /// - Parameter data: `nil` to remove it.
    func keepResumeData(_ data: Data?, _ name: String) async {
        await disk.run {
            guard let folder = try? PrivateFolder.made(at: self.url) else { return }
            if let data { try? folder.replace(name, with: data) } else { try? folder.remove([name]) }
        }
    }
}
