import DiscreteNetworkingSupport
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A child process that turns its standard input into its standard output, and ends with this process however that ends:
/// its standard input stays open until then, and it watches for the end of it.
struct ConverterProcess {
    let path: String
    let arguments: [String]
    /// The limit of time in seconds; the child is killed past it.
    let time: TimeInterval
    /// The limit of its output in bytes.
    let outputLimit: Int

    enum Outcome {
        case ended(status: Int32, output: Data, errors: Data)
        case tookTooLong, wroteTooMuch
    }

    #if os(macOS) || os(Linux)
        func run(_ input: Data) throws(GeneratorError) -> Outcome {
            let process = Process()
            let (standardInput, output, errors) = (Pipe(), Pipe(), Pipe())
            process.executableURL = URL(fileURLWithPath: path)
            process.arguments = arguments
            process.standardInput = standardInput
            process.standardOutput = output
            process.standardError = errors
            do {
                try process.run()
            } catch {
                throw GeneratorError("\(path) cannot be run: \(error.localizedDescription)")
            }
            let lifeline = standardInput.fileHandleForWriting
            defer { try? lifeline.close() }
            let isLate = Locked(false)
            let child = process.processIdentifier
            let alarm = DispatchWorkItem {
                isLate.current = true
                kill(child, SIGKILL)
                // A shell in front of the converter leaves it behind, to see the end of its input.
                try? lifeline.close()
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + time, execute: alarm)
            defer { alarm.cancel() }

            // Three pipes at once: none fills up while nobody reads it.
            let rest = DispatchGroup()
            let complaint = Locked(Data())
            start(rest) { Self.write(input, to: lifeline) }
            start(rest) {
                complaint.current = Self.read(errors.fileHandleForReading, limit: 1 << 16, keepsOn: true)
            }
            let result = Self.read(output.fileHandleForReading, limit: outputLimit, keepsOn: false)
            if result.count > outputLimit {
                kill(child, SIGKILL)
                try? lifeline.close()
            }
            process.waitUntilExit()
            rest.wait()
            if result.count > outputLimit { return .wroteTooMuch }
            let isKilled = process.terminationReason == .uncaughtSignal
            // Past its processor time the system ends it by a signal.
            if isLate.current || isKilled && [SIGXCPU, SIGKILL].contains(process.terminationStatus) {
                return .tookTooLong
            }
            return .ended(status: process.terminationStatus, output: result, errors: complaint.current)
        }

        private func start(_ group: DispatchGroup, _ work: @escaping @Sendable () -> Void) {
            group.enter()
            Thread {
                work()
                group.leave()
            }
            .start()
        }

        /// Reads until the end, and no more than a little past the limit.
        /// - Parameter keepsOn: whether more is read and dropped, so that the writer does not wait.
        private static func read(_ handle: FileHandle, limit: Int, keepsOn: Bool) -> Data {
            var data = Data()
            while let piece = try? handle.read(upToCount: 1 << 16), !piece.isEmpty {
                if data.count <= limit { data += piece } else if !keepsOn { break }
            }
            return data
        }

        /// Writes as much as the child reads: one that ends early is no reason for a SIGPIPE.
        private static func write(_ input: Data, to handle: FileHandle) {
            #if canImport(Darwin)
                _ = fcntl(handle.fileDescriptor, F_SETNOSIGPIPE, 1)
            #else
                var signals = sigset_t()
                sigemptyset(&signals)
                sigaddset(&signals, SIGPIPE)
                pthread_sigmask(SIG_BLOCK, &signals, nil)
            #endif
            try? handle.write(contentsOf: input)
        }
    #else
        func run(_ input: Data) throws(GeneratorError) -> Outcome {
            throw GeneratorError("YAML is converted on macOS and Linux only.")
        }
    #endif
}
