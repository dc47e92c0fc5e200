import Foundation
import XCTest

@testable import DiscreteNetworkingCore

/// Work whose result a test asks for: done when it is asked for, or ahead of that by ``IdleCore``.
final class Ahead<Value: Sendable>: Sendable {
    private let work: @Sendable () throws -> Value
    private let known = Locked<Result<Value, any Error>?>(nil)

    init(_ work: @escaping @Sendable () throws -> Value) { self.work = work }

    /// Returns the result. The first caller does the work, and the others wait for it.
    func value() throws -> Value {
        let work = work
        return try known.withLock { known in
            let result = known ?? Result { try work() }
            known = result
            return result
        }
        .get()
    }

    /// Does the work where nobody has asked for the result yet.
    func finish() { _ = try? value() }
}

/// The core that is idle while tests run one after the other.
///
/// Child processes take a large part of the time of all tests, and most tests use one core. Child processes that need nothing
/// of a test can run while other tests do.
enum IdleCore {
    /// Does work in its order. A result that a test asks for before its turn is not waited for: the test does that work.
    static func begin(_ works: [@Sendable () -> Void]) {
        guard !works.isEmpty else { return }
        Thread.detachNewThread { for work in works { work() } }
    }
}

/// Work on several inputs at once: mostly children or compilers, which have one thread.
enum Concurrently {
    /// Returns the results, in the order of the inputs.
    static func map<Input: Sendable, Output: Sendable>(
        _ inputs: [Input], _ work: @Sendable (Input) throws -> Output
    ) -> [Result<Output, any Error>] {
        let results = Locked<[Int: Result<Output, any Error>]>([:])
        DispatchQueue.concurrentPerform(iterations: inputs.count) { index in
            let result = Result { try work(inputs[index]) }
            results.withLock { $0[index] = result }
        }
        return inputs.indices.compactMap { results.current[$0] }
    }
}

/// The tests that this process runs.
enum TestSelection {
    /// Returns whether a test is among them.
    static func contains(_ test: String, of suite: XCTestCase.Type) -> Bool {
        names.isEmpty || names.contains(String(reflecting: suite) + "/" + test)
    }

    /// What `swift test --filter` gives to the process; empty if it runs all tests.
    private static let names = Set(
        CommandLine.arguments.dropFirst().filter { $0.contains("/test") }
            .flatMap { $0.components(separatedBy: ",") })
}
