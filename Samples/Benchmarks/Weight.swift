import Foundation

/// What an app pays for the framework when it is built: a service, a manager and a call, built over the core and over all that
/// `import DiscreteNetworking` imports.
struct Weight {
    /// A product that the app may import.
    enum Product: String, CaseIterable {
        case core = "DiscreteNetworkingCore"
        case all = "DiscreteNetworking"
    }

    /// What one build has cost.
    struct Build {
        let checkout: URL
        let product: Product
        /// `nil` if what was built before was used.
        var seconds: (processor: Double, wall: Double)?
        /// The size of the program without symbols, in bytes.
        let size: Int
        /// The machine code of each module, in bytes.
        let code: [(module: String, bytes: Int)]
    }

    /// This program's own checkout, then another to compare it with.
    let checkouts: [URL]
    /// Whether what was built with this program is used: sizes only, in a few seconds.
    let isQuick: Bool

    init(beside other: URL?, isQuick: Bool) {
        let own = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        checkouts = isQuick ? [own] : [own] + (other.map { [$0] } ?? [])
        self.isQuick = isQuick
    }

    func run() throws {
        for product in Product.allCases {
            // A checkout of before the core was a module has all in one.
            let builds = try checkouts.map { try build(Self.has(product, $0) ? product : .all, in: $0) }
            for build in builds { print(build.text) }
            if let own = builds.first?.seconds, builds.count > 1, let other = builds[1].seconds {
                let size = Double(builds[0].size) / Double(builds[1].size)
                print(
                    "beside the other: processor time \((own.processor / other.processor).text(2)), wall time \((own.wall / other.wall).text(2)), size \(size.text(2))"
                )
            }
        }
    }

    private static func has(_ product: Product, _ checkout: URL) -> Bool {
        let manifest = try? String(
            contentsOf: checkout.appendingPathComponent("Package.swift"), encoding: .utf8)
        return manifest?.contains(".library(name: \"\(product.rawValue)\"") == true
    }

    // MARK: The app

    private func build(_ product: Product, in checkout: URL) throws -> Build {
        let package = FileManager.default.temporaryDirectory.appendingPathComponent("weight-\(UUID())")
        defer { try? FileManager.default.removeItem(at: package) }
        let sources = package.appendingPathComponent("Sources/Hello")
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        try Self.manifest(product, checkout).write(
            to: package.appendingPathComponent("Package.swift"), atomically: true, encoding: .utf8)
        try Self.program(product).write(
            to: sources.appendingPathComponent("main.swift"), atomically: true, encoding: .utf8)
        let scratch = isQuick ? Self.ownScratch : package.appendingPathComponent(".build")
        let (processor, start) = (Self.processorTimeOfChildren, DispatchTime.now().uptimeNanoseconds)
        _ = try Self.tool(
            "swift", "build", "-c", "release", "--package-path", package.path, "--scratch-path", scratch.path,
            "--disable-build-manifest-caching", "--product", "Hello")
        let wall = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
        let release = scratch.appendingPathComponent("release")
        let stripped = package.appendingPathComponent("stripped")
        _ = try Self.tool("strip", "-o", stripped.path, release.appendingPathComponent("Hello").path)
        return Build(
            checkout: checkout, product: product,
            seconds: isQuick ? nil : (Self.processorTimeOfChildren - processor, wall),
            size: try stripped.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0,
            // What this checkout has built has modules that the app does not link.
            code: isQuick ? [] : try Self.code(in: release))
    }

    private static func manifest(_ product: Product, _ checkout: URL) -> String {
        """
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "Hello", platforms: [.macOS(.v12)],
            dependencies: [.package(name: "DiscreteNetworking", path: "\(checkout.path)")],
            targets: [
                .executableTarget(
                    name: "Hello",
                    dependencies: [.product(name: "\(product.rawValue)", package: "DiscreteNetworking")])
            ])
        """
    }

    /// A program as the README's first.
    private static func program(_ product: Product) -> String {
        """
        import \(product.rawValue)
        import Foundation

        extension ServiceIdentifier { static let library: Self = "library" }

        final class LibraryService: Service {
            let baseURL = URL(string: "https://openlibrary.org")!
        }

        struct Book: Decodable, Sendable { let title: String }

        final class BookManager: APIManager<Book> {
            let serviceIdentifier = ServiceIdentifier.library
            let methodName = "isbn/{isbn}.json"
            let requestType = HTTPMethod.get
        }

        ServiceFactory.shared.register([.library: LibraryService.self])
        do {
            print(try await BookManager().load(with: ["isbn": "9780140328721"]).title)
        } catch {
            print(error.localizedDescription)
        }
        """
    }

    // MARK: Tools

    /// Where SwiftPM has built this program: the folder of `TRIPLE/release/Benchmarks`.
    private static var ownScratch: URL {
        let program = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
        return program.resolvingSymlinksInPath().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
    }

    /// Of the processes that have ended, and of theirs, in seconds.
    private static var processorTimeOfChildren: Double {
        var usage = rusage()
        #if canImport(Darwin)
            getrusage(RUSAGE_CHILDREN, &usage)
        #else
            getrusage(Int32(truncatingIfNeeded: RUSAGE_CHILDREN.rawValue), &usage)
        #endif
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    /// The code of the modules that the app links.
    private static func code(in release: URL) throws -> [(module: String, bytes: Int)] {
        let modules = try FileManager.default.contentsOfDirectory(atPath: release.path)
            .filter { $0.hasPrefix("DiscreteNetworking") && $0.hasSuffix(".build") }
        return try modules.sorted().compactMap { folder in
            let module = String(folder.dropLast(".build".count))
            let objects = try FileManager.default.subpathsOfDirectory(
                atPath: release.appendingPathComponent(folder).path
            ).filter { $0.hasSuffix(".o") }.map { release.appendingPathComponent(folder + "/" + $0).path }
            guard !objects.isEmpty else { return nil }
            return (module, bytes(ofCodeIn: try tool("size", objects)))
        }
    }

    /// Adds up the first column of what `size` prints: the code.
    static func bytes(ofCodeIn output: String) -> Int {
        output.split(separator: "\n").dropFirst().reduce(0) { sum, line in
            sum + (line.split { $0 == " " || $0 == "\t" }.first.flatMap { Int($0) } ?? 0)
        }
    }

    private static func tool(_ arguments: String...) throws -> String {
        try tool(arguments[0], Array(arguments.dropFirst()))
    }

    private static func tool(_ name: String, _ arguments: [String]) throws -> String {
        #if os(macOS) || os(Linux)
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = [name] + arguments
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw ToolFailure(name: name, output: text) }
            return text
        #else
            throw ToolFailure(name: name, output: "There are no processes here.")
        #endif
    }
}

/// A tool that has failed, and what it said.
private struct ToolFailure: Error, CustomStringConvertible {
    let name: String
    let output: String

    var description: String { "\(name) has failed:\n\(output)" }
}

extension Weight.Build {
    var text: String {
        var text = "\nhello-world over \(product.rawValue), \(checkout.path): "
        text += "\((Double(size) / 1e6).text(2)) MB without symbols"
        if let seconds {
            text += ", built in \(seconds.processor.text(0)) s of processor time, \(seconds.wall.text(0)) s"
        }
        guard !code.isEmpty else { return text }
        return text + "\nKB of code: "
            + code.map { "\($0.module) \($0.bytes / 1000)" }.joined(separator: ", ")
    }
}
