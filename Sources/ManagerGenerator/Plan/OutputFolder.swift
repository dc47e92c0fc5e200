import Foundation

/// The folder that generated files go to, and what is there already.
struct OutputFolder {
    let url: URL
    let module: String

    private var manager: FileManager { .default }
    private var manifestName: String { Manifest.name(module) }

    /// The manifest of the previous run; `nil` if there was none.
    func manifest() throws(GeneratorError) -> Manifest? {
        let file = url.appendingPathComponent(manifestName)
        guard manager.fileExists(atPath: file.path) else { return nil }
        guard let data = try? Data(contentsOf: file) else {
            throw GeneratorError("\(file.path) cannot be read.")
        }
        return try Manifest(parsing: data, name: file.path)
    }

    /// The changes that a run made.
    struct Outcome {
        var written: [String] = []
        var unchanged = 0
        var removed: [String] = []
        /// The files that were edited by hand; each is beside the new one, see ``OutputFolder/copyName(_:)``.
        var edited: [String] = []
        /// The user's files that are no longer used by generated code.
        var stale: [String] = []
    }

    /// Writes all files, each whole or not at all: first beside their places, so that a full disk or a missing right is
    /// found before anything changes.
    func write(_ generation: Generation) throws(GeneratorError) -> Outcome {
        let old = try manifest()
        let planned = Set(generation.files.map(\.path))
        try refuseForeign(generation, old)
        var outcome = Outcome()
        var changed: [GeneratedFile] = []
        for file in generation.files {
            let present = try? Data(contentsOf: place(file.path))
            if file.isWrittenOnce, present != nil || manager.fileExists(atPath: place(file.path).path) {
                continue
            }
            if present == Data(file.text.utf8) { outcome.unchanged += 1 } else { changed.append(file) }
        }
        outcome.edited = try edited(before: generation)
        try keep(outcome.edited)
        let manifest = GeneratedFile(path: manifestName, text: generation.manifest.text, isWrittenOnce: false)
        try move(changed + [manifest])
        outcome.written = changed.map(\.path)
        for path in old?.files ?? [] where !planned.contains(path) && isOurs(path) {
            try? manager.removeItem(at: place(path))
            removeIfEmpty(place(path).deletingLastPathComponent())
            outcome.removed.append(path)
        }
        for path in old?.onceFiles ?? []
        where !planned.contains(path) && manager.fileExists(atPath: place(path).path) {
            outcome.stale.append(path)
        }
        return outcome
    }

    /// The generated files that were edited since the previous run, and that writing overwrites or removes.
    func edited(before generation: Generation) throws(GeneratorError) -> [String] {
        guard let old = try manifest() else { return [] }
        let texts = Dictionary(
            generation.files.map { ($0.path, $0.text) }, uniquingKeysWith: { first, _ in first })
        return old.digests.keys.sorted().filter { path in
            guard let present = try? Data(contentsOf: place(path)) else { return false }
            return Manifest.digest(present) != old.digests[path]
                && texts[path].map { Data($0.utf8) } != present
        }
    }

    /// Where a file that was edited by hand is kept.
    static func copyName(_ path: String) -> String { path + ".edited" }

    /// Copies edited files, so that neither this run nor a later one loses an edit.
    private func keep(_ paths: [String]) throws(GeneratorError) {
        for path in paths {
            let copy = place(Self.copyName(path))
            guard let known = try? Data(contentsOf: copy) else { continue }
            guard known == (try? Data(contentsOf: place(path))) else {
                throw GeneratorError(
                    "\(place(path).path) was edited, and \(copy.lastPathComponent) has an older edit. Move that file; nothing was written."
                )
            }
        }
        for path in paths where !manager.fileExists(atPath: place(Self.copyName(path)).path) {
            do {
                try manager.copyItem(at: place(path), to: place(Self.copyName(path)))
            } catch {
                throw GeneratorError(
                    "\(place(path).path) was edited, and cannot be kept: \(Self.reason(error)) Nothing was written."
                )
            }
        }
    }

    private func place(_ path: String) -> URL { url.appendingPathComponent(path) }

    private func removeIfEmpty(_ folder: URL) {
        if (try? manager.contentsOfDirectory(atPath: folder.path))?.isEmpty == true {
            try? manager.removeItem(at: folder)
        }
    }

    // MARK: Whose files

    private func isOurs(_ path: String) -> Bool {
        guard let handle = try? FileHandle(forReadingFrom: place(path)) else { return false }
        defer { try? handle.close() }
        let head = (try? handle.read(upToCount: Generation.mark.utf8.count)) ?? Data()
        return head == Data(Generation.mark.utf8)
    }

    /// The folders around a file, below the output folder.
    private static func folders(_ path: String) -> [String] {
        let parts = path.split(separator: "/").dropLast()
        return parts.indices.map { parts[...$0].joined(separator: "/") }
    }

    private func refuseForeign(_ generation: Generation, _ old: Manifest?) throws(GeneratorError) {
        var isFolder: ObjCBool = false
        if manager.fileExists(atPath: url.path, isDirectory: &isFolder), !isFolder.boolValue {
            throw GeneratorError("\(url.path) is a file; --output needs a folder.")
        }
        let planned = generation.files.map(\.path) + (old.map { $0.files + $0.onceFiles } ?? [])
        for folder in Set(planned.flatMap(Self.folders)).sorted() {
            guard (try? manager.destinationOfSymbolicLink(atPath: place(folder).path)) == nil else {
                throw GeneratorError(
                    "\(place(folder).path) is a link to another folder. Remove it, or choose another --output or --module; nothing was written."
                )
            }
        }
        for file in generation.files where !file.isWrittenOnce {
            guard manager.fileExists(atPath: place(file.path).path), !isOurs(file.path) else { continue }
            throw GeneratorError(
                "\(place(file.path).path) was not written by generate-managers. Move it, or choose another --output or --module; nothing was written."
            )
        }
        // Only what this tool wrote, and the files beside it that its user added, belong in its folders.
        guard old == nil else { return }
        for folder in [module, module + "Tests", module + "Contracts"] {
            let names = (try? manager.contentsOfDirectory(atPath: place(folder).path)) ?? []
            if let first = names.sorted().first(where: { $0 != ".DS_Store" }) {
                throw GeneratorError(
                    "\(place(folder).path) holds \(first), and nothing says that generate-managers made it. Choose another --output or --module; nothing was written."
                )
            }
        }
    }

    // MARK: Writing

    private func move(_ files: [GeneratedFile]) throws(GeneratorError) {
        let staging = url.appendingPathComponent(".\(module).\(UUID().uuidString)")
        do {
            defer { remove(staging, of: files) }
            for file in files {
                let target = staging.appendingPathComponent(file.path)
                try manager.createDirectory(
                    at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Self.write(file.text, to: target)
            }
            for file in files {
                try manager.createDirectory(
                    at: place(file.path).deletingLastPathComponent(), withIntermediateDirectories: true)
            }
            for file in files {
                let target = place(file.path)
                guard rename(staging.appendingPathComponent(file.path).path, target.path) == 0 else {
                    throw GeneratorError(
                        "\(target.path) cannot be written: \(String(cString: strerror(errno))).")
                }
            }
        } catch let error as GeneratorError {
            throw error
        } catch {
            throw GeneratorError(
                "\(url.path) cannot be written to: \(Self.reason(error)) Nothing was changed.")
        }
    }

    /// Removes the folder of the files that were moved; by its known folders, because listing large ones takes long.
    private func remove(_ staging: URL, of files: [GeneratedFile]) {
        for folder in Set(files.map(\.path).flatMap(Self.folders)).sorted(by: >) {
            rmdir(staging.appendingPathComponent(folder).path)
        }
        if rmdir(staging.path) != 0 { try? manager.removeItem(at: staging) }
    }

    /// Writes a new file. `Data.write` would wait for the disk at each of many thousand files.
    private static func write(_ text: String, to file: URL) throws {
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else {
            throw CocoaError(errno == ENOSPC ? .fileWriteOutOfSpace : .fileWriteNoPermission)
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: Data(text.utf8))
        try handle.close()
    }

    private static func reason(_ error: any Error) -> String {
        switch CocoaError.Code(rawValue: (error as NSError).code) {
        case .fileWriteNoPermission: "there is no right to."
        case .fileWriteOutOfSpace: "the disk is full."
        default: error.localizedDescription
        }
    }
}
