#if os(Linux)
    import Foundation
    import XCTest

    @testable import ManagerGenerator

    /// Type-checks generated code with the compiler that built these tests, against the modules of this build.
    struct TypeCheck {
        /// The settings of the target; warnings are errors.
        var settings = ["-swift-version", "6"]
        /// Those of its tests: an `XCTestCase` does not compile where the default isolation is the main actor.
        var testSettings = ["-swift-version", "6"]

        /// What the compiler says about a generation, its tests included; empty where it finds nothing.
        /// - Parameter others: the modules besides, in the order in which they depend on one another.
        func complaints(about generation: Generation, module: String, others: [String] = []) throws -> String
        {
            let folder = try TemporaryFolder()
            func list(_ target: String) throws -> String {
                let files = try generation.files.filter {
                    $0.path.hasPrefix("\(target)/") && $0.path.hasSuffix(".swift")
                }
                .map { "\"\(try folder.write($0.text, to: $0.path))\"" }
                return try folder.write(files.joined(separator: "\n"), to: "\(target).files")
            }
            for name in others.isEmpty ? [module] : others {
                let code = try complaints(
                    folder,
                    settings + [
                        "-emit-module", "-enable-testing", "-o", folder.url.path + "/\(name).swiftmodule",
                        "-package-name", "generated", "-I", folder.url.path,
                    ] + ["-module-name", name, "@\(list(name))"])
                guard code.isEmpty else { return code }
            }
            return try complaints(
                folder,
                testSettings + [
                    "-typecheck", "-I", folder.url.path, "-module-name", module + "Tests",
                    "-package-name", "generated",
                    "@\(list(module + "Tests"))",
                ])
        }

        /// What the compiler says about a file.
        func complaints(aboutFile path: String) throws -> String {
            try complaints(
                TemporaryFolder(), settings + ["-typecheck", "-module-name", "SingleFile", path])
        }

        /// Compiles a program that needs no more than JSON, and runs it.
        /// - Parameter input: The contents of the file that its first argument names.
        func output(of files: [(path: String, text: String)], input: String) throws -> String {
            let folder = try TemporaryFolder()
            var arguments = settings + ["-o", folder.url.path + "/program"]
            for (path, text) in files {
                let text = text.replacingOccurrences(
                    of: "import DiscreteNetworking\n", with: "import DiscreteNetworkingJSON\n")
                arguments.append(try folder.write(text, to: path))
            }
            for module in ["DiscreteNetworkingJSON", "DiscreteNetworkingSupport"] {
                let objects = products + "/\(module).build"
                arguments += try FileManager.default.contentsOfDirectory(atPath: objects)
                    .filter { $0.hasSuffix(".o") }.map { "\(objects)/\($0)" }
            }
            let text = try complaints(folder, arguments, isLibrary: false)
            guard text.isEmpty else { return text }
            let output = try folder.write("", to: "result")
            let program = Process()
            program.executableURL = folder.url.appendingPathComponent("program")
            program.arguments = [try folder.write(input, to: "input")]
            program.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
            try program.run()
            program.waitUntilExit()
            return try folder.text("result")
        }

        private let products = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path

        private func complaints(
            _ folder: TemporaryFolder, _ arguments: [String], isLibrary: Bool = true
        ) throws -> String {
            let output = try folder.write("", to: "output")
            let compiler = Process()
            compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            compiler.arguments =
                ["swiftc", "-warnings-as-errors"] + (isLibrary ? ["-parse-as-library"] : []) + arguments
                + ["-I", products + "/Modules"]
                + ["CCurl", "CCodings", "CPoll"].flatMap {
                    ["-Xcc", "-fmodule-map-file=\(products)/\($0).build/module.modulemap"]
                }
            compiler.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: output))
            compiler.standardOutput = compiler.standardError
            try compiler.run()
            compiler.waitUntilExit()
            let text = try folder.text("output")
            return compiler.terminationStatus == 0 ? "" : text.isEmpty ? "swiftc said nothing." : text
        }
    }
#endif
