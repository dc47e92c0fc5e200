#if os(Linux)
    import Foundation
    import XCTest

    /// The workflow, and what it runs: nobody sees its mistakes before the first run on a Mac.
    final class WorkflowTests: XCTestCase {
        private static let workflow = ".github/workflows/ci.yml"
        private static let site = ".github/workflows/docs.yml"

        func testEveryScriptIsThereAndCompiles() throws {
            let scripts = try commands().compactMap { command in
                command.split(separator: " ").first.map(String.init).flatMap {
                    $0.hasPrefix(".ci/") ? $0 : nil
                }
            }
            XCTAssertEqual(Set(scripts), [".ci/run", ".ci/mac", ".ci/xcode", ".ci/docs"])
            for script in scripts {
                let path = Snippets.root.appendingPathComponent(script).path
                XCTAssertTrue(FileManager.default.isExecutableFile(atPath: path), script)
                XCTAssertNoThrow(try Tool.run("bash", ["-n", path]), script)
            }
        }

        func testPathsInScriptsAreThere() throws {
            for script in [".ci/run", ".ci/mac", ".ci/xcode", ".ci/docs"] {
                for word in try words(of: script)
                where ["Tests/", "Samples/", "Sources/", ".ci/"].contains(where: word.hasPrefix)
                    && !word.contains("$")
                {
                    let path = Snippets.root.appendingPathComponent(word).path
                    XCTAssertTrue(FileManager.default.fileExists(atPath: path), "\(script): \(word)")
                }
            }
        }

        /// A command of the README has the same flags on every platform, so that none lets a warning pass.
        func testSwiftHasTheSameFlagsEverywhere() throws {
            let expected = try swiftCommands(of: ".ci/run")
            XCTAssertTrue(expected.contains("swift test -Xswiftc -warnings-as-errors"), "\(expected)")
            let mac = try swiftCommands(of: ".ci/mac")
            XCTAssertEqual(mac.count, 3)
            for command in mac { XCTAssertTrue(expected.contains(command), command) }
            for command in try commands() { XCTAssertFalse(command.hasPrefix("swift "), command) }
        }

        /// What the READMEs tell users to run is run on each change.
        func testTheReadmesCommandsAreRun() throws {
            let run = try swiftCommands(of: ".ci/run").map {
                $0.replacingOccurrences(of: " -Xswiftc -warnings-as-errors", with: "")
            }
            for readme in ["README.md", "README.zh-CN.md"] {
                let commands = try Snippets.text(readme).components(separatedBy: "\n")
                    .filter { $0.hasPrefix("    swift ") }
                    .map { $0.components(separatedBy: "#")[0].trimmingCharacters(in: .whitespaces) }
                XCTAssertEqual(commands, ["swift run Storefront", "swift test"], readme)
                for command in commands { XCTAssertTrue(run.contains(command), command) }
            }
        }

        func testTargetsThatAreTestedInASimulatorAreThere() throws {
            let manifest = try Snippets.text("Package.swift")
            let targets = try words(of: ".ci/xcode").filter { $0.hasPrefix("-only-testing:") }
            XCTAssertEqual(targets.count, 4)
            for target in targets {
                XCTAssertTrue(manifest.contains("name: \"\(target.dropFirst(14))\""), target)
            }
        }

        func testEveryJobHasATimeoutAndAPinnedXcode() throws {
            let text = try Snippets.text(Self.workflow)
            let jobs = text.components(separatedBy: "\njobs:\n")[1].components(separatedBy: "\n\n")
                .filter { $0.contains("runs-on:") }
            XCTAssertEqual(jobs.count, 4)
            for job in jobs {
                XCTAssertTrue(job.contains("timeout-minutes:"), job)
                XCTAssertEqual(
                    job.contains("runs-on: macos"), job.contains("xcode-select -s /Applications/Xcode_"), job)
            }
            let (build, publish) = try siteJobs()
            for job in [build, publish] { XCTAssertTrue(job.contains("timeout-minutes:"), job) }
            XCTAssertTrue(jobs[0].contains("git config --global --add safe.directory"))
            for platform in ["iOS", "macOS", "tvOS", "watchOS", "visionOS"] {
                XCTAssertTrue(text.contains(platform), platform)
            }
        }

        /// The site is uploaded from where `.ci/docs` writes it, below the path that GitHub Pages gives it.
        func testTheSiteIsPublished() throws {
            let (build, publish) = try siteJobs()
            XCTAssertTrue(build.contains("- run: .ci/docs site\n"), build)
            XCTAssertTrue(build.contains("path: site\n"), build)
            XCTAssertTrue(build.contains("HOSTING_BASE_PATH: ${{ steps.pages.outputs.base_path }}"), build)
            XCTAssertTrue(build.contains("git config --global --add safe.directory"), build)
            XCTAssertTrue(publish.contains("needs: build"), publish)
            XCTAssertTrue(publish.contains("uses: actions/deploy-pages@"), publish)
        }

        /// The Swift Package Index builds the documentation of the modules that `.ci/docs` does.
        func testThePackageIndexHostsTheSameModules() throws {
            let modules = try Snippets.text(".ci/docs").components(separatedBy: "\nmodules=(")[1]
                .components(separatedBy: ")")[0].split { $0.isWhitespace }.map(String.init)
            let text = try Snippets.text(".spi.yml")
            // The index ignores a file of another version or structure.
            let head = "\nversion: 1\nbuilder:\n  configs:\n    - documentation_targets:\n"
            XCTAssertTrue(text.contains(head), text)
            let index = text.components(separatedBy: "documentation_targets:\n")[1]
                .components(separatedBy: "\n").compactMap { line in
                    line.range(of: "- ").map { String(line[$0.upperBound...]) }
                }
            XCTAssertEqual(index, modules)
            XCTAssertGreaterThan(modules.count, 5)
        }

        // MARK: What is in the files

        /// The jobs that build the site and publish it.
        private func siteJobs() throws -> (build: String, publish: String) {
            let jobs = try Snippets.text(Self.site).components(separatedBy: "\njobs:\n")[1]
                .components(separatedBy: "\n\n")
            XCTAssertEqual(jobs.count, 2)
            return (jobs[0] + "\n", jobs[1])
        }

        /// The commands of the workflows' steps.
        private func commands() throws -> [String] {
            let text = try Snippets.text(Self.workflow) + Snippets.text(Self.site)
            return text.components(separatedBy: "\n").compactMap { line in
                line.range(of: "- run: ").map { String(line[$0.upperBound...]) }
            }
        }

        /// The words of a script without its comments.
        private func words(of script: String) throws -> [String] {
            try lines(of: script).flatMap { line in
                line.split { " \"'".contains($0) }.map(String.init)
            }
        }

        private func swiftCommands(of script: String) throws -> [String] {
            try lines(of: script).filter {
                $0.hasPrefix("swift build") || $0.hasPrefix("swift test") || $0.hasPrefix("swift run")
            }
        }

        private func lines(of script: String) throws -> [String] {
            try Snippets.text(script).components(separatedBy: "\n").filter { !$0.hasPrefix("#") }
        }
    }
#endif
